// What the store holds of an entity beside its documents; also of a record that no document mentions.
// Parameters:
//   $id: STRING, entity or record id
// Columns:
//   id: STRING
//   name: STRING, of the entity for the owner, else of the record
//   type: STRING or null, of the entity
//   record_type: STRING or null, as its registry names it
//   record: STRING or null, name of its record
//   aliases: LIST<STRING>, other names of its record
//   attributes: STRING, JSON, of its record
//   acl: LIST<STRING>, who may read the record, empty for everyone
//   source: STRING or null, the registry it was read from
OPTIONAL MATCH (e:Entity {id: $id})
OPTIONAL MATCH (e)-[:OF_TYPE]->(t:EntityType)
OPTIONAL MATCH (r:Record {id: $id})
WITH e, t, r WHERE e IS NOT NULL OR r IS NOT NULL
RETURN $id AS id, coalesce(e.name, r.name) AS name, t.name AS type, r.type AS record_type, r.name AS record,
       coalesce(r.aliases, []) AS aliases, coalesce(r.attributes, '{}') AS attributes, coalesce(r.acl, []) AS acl,
       r.source AS source
