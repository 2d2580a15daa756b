// Entities that are new or differ, with their type.
// Parameters:
//   $rows: LIST<MAP>, each {id, name, key, type, aliases, documents (count)}
// Columns: none
UNWIND $rows AS row
MERGE (e:Entity {id: row.id})
SET e.name = row.name,
    e.key = row.key,
    e.aliases = row.aliases,
    e.documents = row.documents,
    e.attributes = coalesce(e.attributes, '{}')
WITH e, row
MATCH (t:EntityType {name: row.type})
CALL (e, t) {
  MATCH (e)-[old:OF_TYPE]->(other)
  WHERE other <> t
  DELETE old
}
MERGE (e)-[:OF_TYPE]->(t)
