// Texts of the given documents.
// Parameters:
//   $ids: LIST<STRING>, document ids
// Columns:
//   id: STRING, document id
//   text: STRING, its text
UNWIND $ids AS id
MATCH (d:Document {id: id})
RETURN d.id AS id, d.text AS text
