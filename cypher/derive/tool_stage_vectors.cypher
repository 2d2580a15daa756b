// Vectors of stages that have none.
// Parameters:
//   $rows: LIST<MAP>, each {id, embedding (LIST<FLOAT>)}
// Columns: none
UNWIND $rows AS row
MATCH (s:Stage {id: row.id})
SET s.embedding = row.embedding
