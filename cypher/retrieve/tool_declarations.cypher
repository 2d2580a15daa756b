// Every tool, and whether a catalog declares it or only logs name it.
// Parameters: none
// Columns:
//   id: STRING, tool id
//   name: STRING, tool name
//   declared: BOOLEAN
MATCH (t:Tool)
RETURN t.id AS id, coalesce(t.name, t.id) AS name, t.parameters IS NOT NULL AS declared
