// Vectors of the given entities of which a reader may see every document: what is hidden from the reader is in none of them.
// Parameters:
//   $ids: LIST<STRING>, entity ids
//   $reader: LIST<STRING>, principals and groups, or null for the owner, who sees all
//   $as_of: STRING, the day, YYYY-MM-DD, on which a document must have been known, or null for now
// Columns:
//   id: STRING, entity id
//   embedding: LIST<FLOAT>
UNWIND $ids AS id
MATCH (e:Entity {id: id})
WHERE e.embedding IS NOT NULL AND e.documents = COUNT {
  MATCH (d:Document)-[:MENTIONS]->(e)
  WHERE ($reader IS NULL OR size(coalesce(d.acl, [])) = 0 OR any(p IN d.acl WHERE p IN $reader))
    AND ($as_of IS NULL OR left(coalesce(d.modified, d.created, d.loaded), 10) <= $as_of)
}
RETURN e.id AS id, e.embedding AS embedding
