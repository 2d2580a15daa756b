// The tools that were written since a graph_version; columns and order as in retrieve/tool_catalog.
// Parameters:
//   $since: INTEGER, graph_version of the state that is known
// Columns:
//   id: STRING, tool id
//   name: STRING, tool name
//   server: STRING, or null
//   domain: STRING, or null
//   description: STRING, or null
//   parameters: STRING, JSON text, or null
//   output: STRING, JSON text of the schema of what it returns, or null
//   requires: STRING, JSON text [{tool, kind, parameter}] of what its catalog says that it needs, or null
//   runs: INTEGER, passed stage runs that used it
//   last_seen: STRING, time of the latest of them, or null
//   linked: BOOLEAN, whether its semantic and declared edges are up to date
//   embedding: LIST<FLOAT>, unit vector of its text, or null if it was written past graphstore
MATCH (t:Tool)
WHERE coalesce(t.changed, $since + 1) > $since
RETURN t.id AS id, coalesce(t.name, t.id) AS name, t.server AS server, t.domain AS domain, t.description AS description,
       t.parameters AS parameters, t.output AS output, t.requires AS requires, t.runs AS runs, t.last_seen AS last_seen,
       coalesce(t.linked, false) AS linked, t.embedding AS embedding
ORDER BY id
