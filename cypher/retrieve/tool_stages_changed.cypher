// The stages that were written since a graph_version, solved or not; columns as in retrieve/tool_solved_stages.
// Parameters:
//   $since: INTEGER, graph_version of the state that is known
// Columns:
//   id: STRING, stage id
//   request: STRING, what was asked; the description where nothing was
//   embedding: LIST<FLOAT>, unit vector of that text, or null without words
//   clauses: BYTES, unit vectors of the request's clauses as float16, one after the other; empty if it is one clause
//   paths: LIST<MAP>, each {tools, steps (number of each tool's step), count, efficiency, shortest}; empty if not solved
MATCH (s:Stage)
WHERE s.changed > $since
RETURN s.id AS id, CASE s.request WHEN '' THEN s.description ELSE s.request END AS request, s.embedding AS embedding,
       s.clauses AS clauses,
       [(s)-[:SOLVED_BY]->(p) | p {.tools, .steps, .count, .efficiency, .shortest}] AS paths
ORDER BY id
