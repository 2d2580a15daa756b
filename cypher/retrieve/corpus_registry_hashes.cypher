// What is stored of documents, to tell new from changed from moved.
// Parameters: none
// Columns:
//   id: STRING, of the document
//   path: STRING, where it lies
//   hash: STRING, of its content
//   extraction: STRING, hash of what was extracted from it, or null where an older graphstore did that
MATCH (d:Document)
RETURN d.id AS id, d.path AS path, d.hash AS hash, d.extraction_hash AS extraction
