// Chunks that belong to no document, or to several.
// Parameters: none
// Columns:
//   subject: STRING, chunk id
//   found: INTEGER, number of documents
MATCH (c:Chunk)
WITH c, COUNT { (:Document)-[:HAS_CHUNK]->(c) } AS found
WHERE found <> 1
RETURN c.id AS subject, found ORDER BY subject
