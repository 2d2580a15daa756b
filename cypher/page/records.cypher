// Every record of a registry, with how many documents mention it.
// Parameters: none
// Columns:
//   id: STRING
//   name: STRING
//   type: STRING or null, as the registry names it
//   attributes: STRING, JSON
//   source: STRING, the registry it was read from
//   documents: INTEGER, how many mention it
MATCH (r:Record)
OPTIONAL MATCH (e:Entity {id: r.id})
RETURN r.id AS id, r.name AS name, r.type AS type, r.attributes AS attributes, r.source AS source,
       coalesce(e.documents, 0) AS documents
ORDER BY name, id
