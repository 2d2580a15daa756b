// Every relationship, for a backup.
// Parameters: none
// Columns:
//   type: STRING
//   source: STRING, the server's id of the node it leaves
//   target: STRING, of the node it enters
//   properties: MAP
MATCH (a)-[r]->(b)
RETURN type(r) AS type, elementId(a) AS source, elementId(b) AS target, properties(r) AS properties
