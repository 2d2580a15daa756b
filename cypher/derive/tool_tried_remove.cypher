// Remove transitions of failed and unjudged runs that no run made any more, or that a passed run made too.
// Parameters:
//   $rows: LIST<MAP>, each {source, target}
// Columns: none
MATCH (g:Meta {id: 'graphstore'})
SET g.tried_changed = g.graph_version
WITH g
UNWIND $rows AS row
MATCH (:Tool {id: row.source})-[n:TRIED]->(:Tool {id: row.target})
DELETE n
