// Vectors of tools that were written past graphstore.
// Parameters:
//   $rows: LIST<MAP>, each {id, embedding (LIST<FLOAT>)}
// Columns: none
MATCH (m:Meta {id: 'graphstore'})
UNWIND $rows AS row
MATCH (t:Tool {id: row.id})
SET t.embedding = row.embedding, t.changed = m.graph_version
