// Every tool, sorted by id.
// Parameters: none
// Columns:
//   id: STRING, tool id
//   name: STRING, tool name
//   server: STRING, or null
//   domain: STRING, or null
//   description: STRING, or null
//   parameters: STRING, JSON text, or null
//   runs: INTEGER, passed stage runs that used it
//   last_seen: STRING, time of the latest of them, or null
//   embedding: LIST<FLOAT>, unit vector of its text, or null if it was written past graphstore
MATCH (t:Tool)
RETURN t.id AS id, coalesce(t.name, t.id) AS name, t.server AS server, t.domain AS domain, t.description AS description,
       t.parameters AS parameters, t.runs AS runs, t.last_seen AS last_seen, t.embedding AS embedding
ORDER BY id
