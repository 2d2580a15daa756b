// Entities that no document mentions.
// Parameters: none
// Columns:
//   subject: STRING, entity id
MATCH (e:Entity)
WHERE NOT (e)<-[:MENTIONS]-(:Document)
RETURN e.id AS subject ORDER BY subject
