// The given entities that at least two documents visible to a reader mention.
// Parameters:
//   $ids: LIST<STRING>, entity ids
//   $reader: LIST<STRING>, principals and groups, or null for the owner, who sees all
//   $as_of: STRING, the day, YYYY-MM-DD, on which a document must have been known, or null for now
// Columns:
//   id: STRING, entity id
//   name: STRING, name of the entity for the owner
//   type: STRING, or null
//   documents: INTEGER, visible documents
//   forms: LIST<LIST<STRING>>, written forms, a list a visible document
//   record: LIST, [name, aliases, attributes (JSON)] of its record, or null without one that the reader may see now
UNWIND $ids AS id
MATCH (e:Entity {id: id})
MATCH (d:Document)-[m:MENTIONS]->(e)
WHERE ($reader IS NULL OR size(coalesce(d.acl, [])) = 0 OR any(p IN d.acl WHERE p IN $reader))
  AND ($as_of IS NULL OR left(coalesce(d.modified, d.created, d.loaded), 10) <= $as_of)
WITH e, count(d) AS documents, collect(m.names) AS forms
WHERE documents >= 2
OPTIONAL MATCH (e)-[:OF_TYPE]->(t:EntityType)
RETURN e.id AS id, e.name AS name, t.name AS type, documents, forms,
       CASE WHEN e.record_name IS NOT NULL AND $as_of IS NULL
             AND ($reader IS NULL OR size(coalesce(e.acl, [])) = 0 OR any(p IN e.acl WHERE p IN $reader))
         THEN [e.record_name, coalesce(e.record_aliases, []), e.attributes] END AS record
ORDER BY id
