// The semantic graph.
// Parameters: none
// Columns:
//   source: STRING, tool id
//   target: STRING, id of a tool of similar text
//   score: FLOAT, cosine
MATCH (a:Tool)-[s:SIMILAR]->(b:Tool)
RETURN a.id AS source, b.id AS target, s.score AS score
ORDER BY source, target
