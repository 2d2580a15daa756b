// Entities that are new or differ, with their type, and with what the record says that has their id; their vectors go.
// Parameters:
//   $rows: LIST<MAP>, each {id, name, key, type, aliases, documents (count), record (hash of its record, or null)}
// Columns: none
MATCH (m:Meta {id: 'graphstore'})
UNWIND $rows AS row
MERGE (e:Entity {id: row.id})
WITH m, row, e
OPTIONAL MATCH (r:Record {id: row.id}) WHERE row.record IS NOT NULL
SET e.name = row.name,
    e.key = row.key,
    e.aliases = row.aliases,
    e.documents = row.documents,
    e.record = row.record,
    e.record_name = r.name,
    e.record_aliases = r.aliases,
    e.attributes = coalesce(r.attributes, '{}'),
    e.acl = r.acl,
    e.embedding = null,
    e.changed = m.graph_version
WITH e, row
MATCH (t:EntityType {name: row.type})
CALL (e, t) {
  MATCH (e)-[old:OF_TYPE]->(other)
  WHERE other <> t
  DELETE old
}
MERGE (e)-[:OF_TYPE]->(t)
