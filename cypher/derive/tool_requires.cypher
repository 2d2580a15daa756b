// What needs what: declared by a catalog, or seen from the schemas.
// Parameters:
//   $rows: LIST<MAP>, each {source, target, kind, parameter (or null)}
// Columns: none
MATCH (g:Meta {id: 'graphstore'})
SET g.requires_changed = g.graph_version
WITH g
UNWIND $rows AS row
MATCH (a:Tool {id: row.source}), (b:Tool {id: row.target})
MERGE (a)-[r:REQUIRES]->(b)
SET r.kind = row.kind, r.parameter = row.parameter
