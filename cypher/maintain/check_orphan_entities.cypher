// Entities that no document mentions and that were not merged into another.
// Parameters: none
// Columns:
//   subject: STRING, entity id
MATCH (e:Entity)
WHERE NOT (e)<-[:MENTIONS]-(:Document) AND NOT (e)-[:MERGED_INTO]->(:Entity)
RETURN e.id AS subject ORDER BY subject
