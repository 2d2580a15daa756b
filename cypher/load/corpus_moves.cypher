// Documents that lie elsewhere now; text, vectors and links stay, and earlier paths are kept, oldest first.
// Parameters:
//   $rows: LIST<MAP>, each {old (id), id, path}
// Columns: none
MATCH (m:Meta {id: 'graphstore'})
UNWIND $rows AS row
MATCH (d:Document {id: row.old})
SET d.earlier = [path IN coalesce(d.earlier, []) WHERE NOT path IN [d.path, row.path] | path] + CASE WHEN d.path = row.path THEN [] ELSE [d.path] END
SET d.id = row.id, d.path = row.path, d.alike = normalize(toLower(row.path), NFKD), d.changed = m.graph_version
WITH d
MATCH (d)-[:HAS_CHUNK]->(c:Chunk)
SET c.id = d.id + '#' + toString(c.index)
