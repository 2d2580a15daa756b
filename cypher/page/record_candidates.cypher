// Every record of a registry, to be compared with the others and with entities.
// Parameters: none
// Columns:
//   id: STRING
//   name: STRING
//   type: STRING or null
//   aliases: LIST<STRING>
//   attributes: STRING, JSON
MATCH (r:Record)
RETURN r.id AS id, r.name AS name, r.type AS type, r.aliases AS aliases, r.attributes AS attributes ORDER BY id
