// What two documents share: the entities that both mention, those first that few others mention.
// Parameters:
//   $first: STRING, id or path of a document, such as 'mail/2026-02-24-atlas-budget.md'
//   $second: STRING, id or path of the other, such as 'minutes/2026-05-19-bluebird-weekly.md'
// Columns:
//   entity: STRING, its name
//   documents: INTEGER, documents that mention it
//   way: PATH, from one document over the entity to the other
MATCH (a:Document), (b:Document)
WHERE (a.id = $first OR a.path = $first) AND (b.id = $second OR b.path = $second)
MATCH way = (a)-[:MENTIONS]->(entity:Entity)<-[:MENTIONS]-(b)
RETURN entity.name AS entity, entity.documents AS documents, way
ORDER BY documents, entity
