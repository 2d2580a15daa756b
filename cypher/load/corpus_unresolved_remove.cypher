// Takes away the open names of documents.
// Parameters:
//   $documents: LIST<STRING>, ids
// Columns: none
UNWIND $documents AS id
MATCH (:Document {id: id})-[u:UNRESOLVED]->()
DELETE u
