// All that decisions about entities say of documents and names, those that were taken back too.
// Parameters: none
// Columns:
//   number: INTEGER, in the ledger
//   subjects: LIST<STRING>, anchors of the entities
//   documents: LIST<STRING>, ids of the documents that it names
//   key: STRING, of the name that it is about
//   names: LIST<STRING>, names of the entities at that time
//   moved: STRING, JSON: documents whose links it changed
//   undone: BOOLEAN, whether it was taken back
MATCH (d:Decision)
RETURN d.number AS number, d.subjects AS subjects, d.documents AS documents, d.key AS key, d.names AS names,
       d.moved AS moved, d.undone IS NOT NULL AS undone
ORDER BY number
