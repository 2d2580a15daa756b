// The ways that a search went: from a document through what it names to another document. `graphstore search --explain`
// prints this statement with the ways of its answer.
// Parameters:
//   $ways: LIST<LIST<STRING>>, each a document, an entity and a document by id, path or name, such as [['mail/2026-02-24-atlas-budget.md', 'Project Atlas', 'mail/2026-03-16-atlas-handover.md']]
// Columns:
//   way: PATH, from the first document to the second
//   source: STRING, path of the first document
//   entity: STRING, what both name
//   target: STRING, path of the second document
UNWIND $ways AS step
WITH step[0] AS first, step[1] AS through, step[2] AS second
MATCH way = (source:Document)-[:MENTIONS]->(entity:Entity)<-[:MENTIONS]-(target:Document)
WHERE (source.id = first OR source.path = first)
  AND (entity.id = through OR entity.name = through)
  AND (target.id = second OR target.path = second)
RETURN way, source.path AS source, entity.name AS entity, target.path AS target
ORDER BY source, target, entity
