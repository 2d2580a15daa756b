// Texts of documents, for titles that are new to be looked for in.
// Parameters:
//   $ids: LIST<STRING>, documents
// Columns:
//   id: STRING
//   text: STRING
UNWIND $ids AS id
MATCH (d:Document {id: id})
RETURN d.id AS id, coalesce(d.text, '') AS text
