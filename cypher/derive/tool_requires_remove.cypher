// Remove needs that no catalog declares and no schema shows any more.
// Parameters:
//   $rows: LIST<MAP>, each {source, target}
// Columns: none
MATCH (g:Meta {id: 'graphstore'})
SET g.requires_changed = g.graph_version
WITH g
UNWIND $rows AS row
MATCH (:Tool {id: row.source})-[r:REQUIRES]->(:Tool {id: row.target})
DELETE r
