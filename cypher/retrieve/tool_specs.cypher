// What is known of some tools.
// Parameters:
//   $ids: LIST<STRING>, tool ids
// Columns:
//   id: STRING, tool id
//   name: STRING, name as the catalog or the log writes it
//   server: STRING, its server, or null
//   domain: STRING, its domain, or null
//   description: STRING, null for a tool that only logs name
//   parameters: STRING, JSON text, null likewise
//   output: STRING, JSON text of the schema of what it returns, or null
//   requires: STRING, JSON text of what its catalog says that it needs, or null
UNWIND $ids AS id
MATCH (t:Tool {id: id})
RETURN t.id AS id, t.name AS name, t.server AS server, t.domain AS domain, t.description AS description,
       t.parameters AS parameters, t.output AS output, t.requires AS requires
