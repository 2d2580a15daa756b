// Texts and fields of documents, to cut statements from or to extract again.
// Parameters:
//   $ids: LIST<STRING>, documents
// Columns:
//   id: STRING, of the document
//   path: STRING, where it lies
//   title: STRING
//   text: STRING
//   acl: LIST<STRING>
//   created: STRING or null
//   modified: STRING or null
//   metadata: STRING, JSON
//   chunks: INTEGER, how many it has
UNWIND $ids AS id
MATCH (d:Document {id: id})
RETURN d.id AS id, d.path AS path, d.title AS title, d.text AS text, d.acl AS acl, d.created AS created,
       d.modified AS modified, d.metadata AS metadata, COUNT { (d)-[:HAS_CHUNK]->() } AS chunks
