// Every node of the graph, for comparing two graphs.
// Parameters: none
// Columns:
//   labels: LIST<STRING>
//   properties: MAP
MATCH (n)
RETURN labels(n) AS labels, properties(n) AS properties
