// Decisions about documents that lie elsewhere now.
// Parameters:
//   $rows: LIST<MAP>, each {number, documents (ids)}
// Columns: none
UNWIND $rows AS row
MATCH (d:Decision {id: toString(row.number)})
SET d.documents = row.documents
