// Every relationship of the graph, for comparing two graphs.
// Parameters: none
// Columns:
//   type: STRING
//   source: LIST, labels and key of the node it leaves
//   target: LIST, labels and key of the node it enters
//   properties: MAP
MATCH (a)-[r]->(b)
RETURN type(r) AS type,
       [labels(a), coalesce(a.id, a.name)] AS source,
       [labels(b), coalesce(b.id, b.name)] AS target,
       properties(r) AS properties
