// Tools of an id or of a name.
// Parameters:
//   $wanted: STRING, id or name
// Columns:
//   id: STRING, tool id
//   name: STRING, its name
//   domain: STRING, or null
//   description: STRING, or null
//   runs: INTEGER, passed stage runs that used it
MATCH (t:Tool) WHERE t.id = $wanted OR t.name = $wanted
RETURN t.id AS id, t.name AS name, t.domain AS domain, t.description AS description, t.runs AS runs ORDER BY id
