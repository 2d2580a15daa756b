// The semantic graph: tools of similar texts; stored once a pair, with source before target, read both ways.
// Parameters:
//   $rows: LIST<MAP>, each {source, target, score (cosine)}
// Columns: none
UNWIND $rows AS row
MATCH (a:Tool {id: row.source}), (b:Tool {id: row.target})
MERGE (a)-[s:SIMILAR]->(b)
SET s.score = row.score
