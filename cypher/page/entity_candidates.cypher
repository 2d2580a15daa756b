// Every entity that a document visible to a reader mentions, to be compared with the others.
// Parameters:
//   $reader: LIST<STRING>, principals and groups, or null for the owner, who sees all
//   $as_of: STRING, the day, YYYY-MM-DD, on which a document must have been known, or null for now
// Columns:
//   id: STRING, entity id
//   name: STRING, name of the entity for the owner
//   type: STRING, or null
//   forms: LIST<LIST<STRING>>, written forms, a list a visible document
//   documents: LIST<LIST<STRING>>, each [id, path] of a visible document
MATCH (d:Document)-[m:MENTIONS]->(e:Entity)
WHERE ($reader IS NULL OR size(coalesce(d.acl, [])) = 0 OR any(p IN d.acl WHERE p IN $reader))
  AND ($as_of IS NULL OR left(coalesce(d.modified, d.created, d.loaded), 10) <= $as_of)
WITH e, collect(m.names) AS forms, collect([d.id, d.path]) AS documents
OPTIONAL MATCH (e)-[:OF_TYPE]->(t:EntityType)
RETURN e.id AS id, e.name AS name, t.name AS type, forms, documents ORDER BY id
