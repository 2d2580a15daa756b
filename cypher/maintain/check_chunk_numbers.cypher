// Documents whose chunks are not numbered 0, 1, 2 …
// Parameters: none
// Columns:
//   subject: STRING, document id
//   found: LIST<INTEGER>, the numbers
MATCH (d:Document)-[:HAS_CHUNK]->(c:Chunk)
WITH d, c ORDER BY c.index
WITH d, collect(c.index) AS found
WHERE found <> range(0, size(found) - 1)
RETURN d.id AS subject, found ORDER BY subject
