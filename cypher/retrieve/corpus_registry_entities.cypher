// Stored entities, to be compared with what they should be.
// Parameters: none
// Columns:
//   id: STRING
//   name: STRING
//   key: STRING, canonical normalised name
//   type: STRING or null
//   aliases: LIST<STRING>
//   documents: INTEGER, how many mention it
//   record: STRING, hash of its record in a registry, or null
MATCH (e:Entity)
OPTIONAL MATCH (e)-[:OF_TYPE]->(t:EntityType)
RETURN e.id AS id, e.name AS name, e.key AS key, t.name AS type, e.aliases AS aliases, e.documents AS documents,
       e.record AS record
