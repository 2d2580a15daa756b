// Remove semantic edges that do not hold any more.
// Parameters:
//   $rows: LIST<MAP>, each {source, target}
// Columns: none
MATCH (g:Meta {id: 'graphstore'})
SET g.similar_changed = g.graph_version
WITH g
UNWIND $rows AS row
MATCH (:Tool {id: row.source})-[s:SIMILAR]->(:Tool {id: row.target})
DELETE s
