// Documents that lie elsewhere now; text, vectors and links stay.
// Parameters:
//   $rows: LIST<MAP>, each {old (id), id, path}
// Columns: none
UNWIND $rows AS row
MATCH (d:Document {id: row.old})
SET d.id = row.id, d.path = row.path
WITH d
MATCH (d)-[:HAS_CHUNK]->(c:Chunk)
SET c.id = d.id + '#' + toString(c.index)
