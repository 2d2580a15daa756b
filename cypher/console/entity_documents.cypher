// The documents that mention an entity, newest first, each with the sentences that say so.
// Parameters:
//   $entity: STRING, its id, its name, or another form of it, such as 'Project Atlas'
// Columns:
//   way: PATH, from document to entity
//   date: STRING, when the document was changed last, or made
//   names: LIST<STRING>, how it calls the entity
//   statements: LIST<STRING>, its sentences
MATCH (entity:Entity)
WHERE entity.id = $entity OR toLower(entity.name) = toLower($entity) OR any(a IN entity.aliases WHERE toLower(a) = toLower($entity))
MATCH way = (document:Document)-[m:MENTIONS]->(entity)
RETURN way, coalesce(document.modified, document.created) AS date, m.names AS names, m.statements AS statements
ORDER BY date IS NULL, date DESC, document.id
