// Records of registries as resolution reads them.
// Parameters:
//   $ids: LIST<STRING>
// Columns:
//   id: STRING
//   name: STRING
//   type: STRING or null
//   aliases: LIST<STRING>
//   attributes: STRING, JSON
//   hash: STRING, of all that it says
UNWIND $ids AS id
MATCH (r:Record {id: id})
RETURN r.id AS id, r.name AS name, r.type AS type, r.aliases AS aliases, r.attributes AS attributes, r.hash AS hash
