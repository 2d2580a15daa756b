// Decisions that name fewer documents now, or name entities as they are written elsewhere: documents were forgotten.
// Parameters:
//   $rows: LIST<MAP>, each {number, documents (ids), names, moved (JSON)}
// Columns: none
UNWIND $rows AS row
MATCH (d:Decision {id: toString(row.number)})
SET d.documents = row.documents, d.names = row.names, d.moved = row.moved
