// What resolution is computed from.
// Parameters:
//   $ids: LIST<STRING>, documents
// Columns:
//   id: STRING, of the document
//   path: STRING, where it lies
//   title: STRING
//   hash: STRING, of its content
//   extracted: STRING, its extraction as JSON, or null
//   extraction: STRING, hash of that, or null
UNWIND $ids AS id
MATCH (d:Document {id: id})
RETURN d.id AS id, d.path AS path, d.title AS title, d.hash AS hash, d.extracted AS extracted,
       d.extraction_hash AS extraction
