// Entities for the search snapshot, in the order of their ids.
// Parameters: none
// Columns:
//   id: STRING
//   name: STRING, as the owner sees it
//   type: STRING, or null
MATCH (e:Entity)
OPTIONAL MATCH (e)-[:OF_TYPE]->(t:EntityType)
RETURN e.id AS id, e.name AS name, t.name AS type
ORDER BY id
