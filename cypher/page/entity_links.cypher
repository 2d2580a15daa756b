// What the documents visible to a reader say of the given entities, a row a document.
// Parameters:
//   $ids: LIST<STRING>, entity ids
//   $reader: LIST<STRING>, principals and groups, or null for the owner, who sees all
//   $as_of: STRING, the day, YYYY-MM-DD, on which a document must have been known, or null for now
// Columns:
//   entity: STRING, entity id
//   id: STRING, document id
//   path: STRING, the document's path
//   title: STRING, the document's title
//   created: STRING, ISO 8601, or null
//   modified: STRING, ISO 8601, or null
//   statements: LIST<STRING>, verbatim, in the order of the text
//   dates: LIST<STRING>, the date each speaks of, or an empty string
//   confidence: FLOAT, that the document means this entity, in 0 to 1, or null
UNWIND $ids AS id
MATCH (d:Document)-[m:MENTIONS]->(e:Entity {id: id})
WHERE ($reader IS NULL OR size(coalesce(d.acl, [])) = 0 OR any(p IN d.acl WHERE p IN $reader))
  AND ($as_of IS NULL OR left(coalesce(d.modified, d.created, d.loaded), 10) <= $as_of)
RETURN e.id AS entity, d.id AS id, d.path AS path, d.title AS title, d.created AS created, d.modified AS modified,
       m.statements AS statements, m.dates AS dates, m.confidence AS confidence
