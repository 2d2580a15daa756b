// Entities whose count of documents is not that of their links.
// Parameters: none
// Columns:
//   subject: STRING, entity id
//   found: INTEGER, the stored count
//   expected: INTEGER, number of links
MATCH (e:Entity)
WITH e, COUNT { (:Document)-[:MENTIONS]->(e) } AS expected
WHERE coalesce(e.documents, -1) <> expected
RETURN e.id AS subject, e.documents AS found, expected ORDER BY subject
