// Transitions of failed and unjudged runs that no passed run made.
// Parameters:
//   $rows: LIST<MAP>, each {source, target, failures, blamed, unjudged, sums (whole numbers)}
// Columns: none
MATCH (g:Meta {id: 'graphstore'})
SET g.tried_changed = g.graph_version
WITH g
UNWIND $rows AS row
MATCH (a:Tool {id: row.source}), (b:Tool {id: row.target})
MERGE (a)-[n:TRIED]->(b)
SET n.failures = row.failures,
    n.blamed = row.blamed,
    n.unjudged = row.unjudged,
    n.sums = row.sums
