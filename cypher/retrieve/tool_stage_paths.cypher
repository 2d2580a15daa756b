// The stages that a user may mean: by stage id, by task id, or by the exact request.
// Parameters:
//   $stage: STRING, stage id, task id or request
// Columns:
//   match: STRING, what equalled it: id, task or request
//   id: STRING, stage id
//   task: STRING, task id
//   request: STRING, what was asked
//   runs: INTEGER, runs seen
//   no_calls: INTEGER, passed runs that called nothing
//   failed: INTEGER, runs that failed
//   unknown: INTEGER, runs without a verdict
//   paths: LIST<MAP>, each {tools, steps (number of each tool's step), length, count, efficiency,
//     shortest, sources (run ids), calls (made, one a source)}
MATCH (k:Task)-[:HAS_STAGE]->(s:Stage)
WHERE s.id = $stage OR k.id = $stage OR s.request = $stage
RETURN CASE WHEN s.id = $stage THEN 'id' WHEN k.id = $stage THEN 'task' ELSE 'request' END AS match,
       s.id AS id, k.id AS task, s.request AS request, s.runs AS runs, s.no_calls AS no_calls,
       size(coalesce(s.failed_runs, [])) AS failed, size(coalesce(s.unjudged_runs, [])) AS unknown,
       [(s)-[:SOLVED_BY]->(p) | p {.tools, .steps, .length, .count, .efficiency, .shortest, .sources, .calls}] AS paths
ORDER BY id
