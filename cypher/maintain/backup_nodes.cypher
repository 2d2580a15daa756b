// Every node but the store's own, for a backup.
// Parameters: none
// Columns:
//   id: STRING, the server's own
//   labels: LIST<STRING>
//   properties: MAP
MATCH (n) WHERE NOT (n:Meta AND n.id = 'graphstore')
RETURN elementId(n) AS id, labels(n) AS labels, properties(n) AS properties
