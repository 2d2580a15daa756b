// Vectors of entities, made of those of what their documents say of them.
// Parameters:
//   $rows: LIST<MAP>, each {id, embedding}
// Columns: none
UNWIND $rows AS row
MATCH (e:Entity {id: row.id})
SET e.embedding = row.embedding
