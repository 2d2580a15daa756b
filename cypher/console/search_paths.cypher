// The ways that a search went: from a document through what it names to another document. `graphstore search --explain`
// prints this statement with the ways of its answer.
// Parameters:
//   $ways: LIST<LIST<STRING>>, each a document, an entity ('' for the title of the second document) and a document by id, path or name, such as [['mail/2026-02-24-atlas-budget.md', 'Project Atlas', 'mail/2026-03-16-atlas-handover.md']]
// Columns:
//   way: PATH, from the first document to the second; null where its title leads there: that is no relationship
//   source: STRING, path of the first document
//   entity: STRING, what both name, or the title of the second document that the first names
//   target: STRING, path of the second document
//   ends: LIST<NODE>, both documents
UNWIND $ways AS step
WITH step[0] AS first, step[1] AS through, step[2] AS second
MATCH (source:Document)
WHERE source.id = first OR source.path = first
MATCH (target:Document)
WHERE target.id = second OR target.path = second
OPTIONAL MATCH way = (source)-[:MENTIONS]->(entity:Entity)<-[:MENTIONS]-(target)
WHERE entity.id = through OR entity.name = through
WITH way, source, entity, target, through
WHERE way IS NOT NULL OR through = ''
RETURN way, source.path AS source, coalesce(entity.name, target.title) AS entity, target.path AS target,
       [source, target] AS ends
ORDER BY source, target, entity
