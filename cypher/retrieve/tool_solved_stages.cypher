// Stages that were solved, with the paths that solved them, sorted by id.
// Parameters: none
// Columns:
//   id: STRING, stage id
//   request: STRING, what was asked; the description where nothing was
//   embedding: LIST<FLOAT>, unit vector of that text
//   clauses: BYTES, unit vectors of the request's clauses as float16, one after the other; empty if it is one clause
//   paths: LIST<MAP>, each {tools, steps (number of each tool's step), count, efficiency, shortest}
MATCH (s:Stage)
WHERE s.embedding IS NOT NULL AND EXISTS { (s)-[:SOLVED_BY]->() }
RETURN s.id AS id, CASE s.request WHEN '' THEN s.description ELSE s.request END AS request, s.embedding AS embedding,
       s.clauses AS clauses,
       [(s)-[:SOLVED_BY]->(p) | p {.tools, .steps, .count, .efficiency, .shortest}] AS paths
ORDER BY id
