// What is stored of documents, to tell new from changed from moved.
// Parameters: none
// Columns:
//   id: STRING, of the document
//   path: STRING, where it lies
//   hash: STRING, of its content
MATCH (d:Document)
RETURN d.id AS id, d.path AS path, d.hash AS hash
