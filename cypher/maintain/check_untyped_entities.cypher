// Entities that have not exactly one type.
// Parameters: none
// Columns:
//   subject: STRING, entity id
//   found: INTEGER, number of types
MATCH (e:Entity)
WITH e, COUNT { (e)-[:OF_TYPE]->(:EntityType) } AS found
WHERE found <> 1
RETURN e.id AS subject, found ORDER BY subject
