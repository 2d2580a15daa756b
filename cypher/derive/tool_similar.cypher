// The semantic graph: tools of similar texts; stored once a pair, with source before target, read both ways.
// Parameters:
//   $rows: LIST<MAP>, each {source, target, score (cosine)}
// Columns: none
MATCH (g:Meta {id: 'graphstore'})
SET g.similar_changed = g.graph_version
WITH g
UNWIND $rows AS row
MATCH (a:Tool {id: row.source}), (b:Tool {id: row.target})
MERGE (a)-[s:SIMILAR]->(b)
SET s.score = row.score
