// Stages with the outcome of every run, to be merged with new runs.
// Parameters:
//   $ids: LIST<STRING>, stage ids
// Columns:
//   id: STRING, stage id
//   task: STRING, task id
//   task_name: STRING, the task's name, may be empty
//   request: STRING, what was asked
//   description: STRING, what the stage is about
//   domain: STRING, or null
//   run_ids: LIST<STRING>, every run
//   failed_runs: LIST<STRING>, JSON texts {run, tools, steps, extra, finished, reason}
//   unjudged_runs: LIST<STRING>, JSON texts of runs without a verdict
//   idle_runs: LIST<STRING>, JSON texts of passed runs without calls
//   texts: LIST<STRING>, JSON texts {request, description, task_name, domain, runs}, empty where all runs say the same
//   paths: LIST<MAP>, each {tools, steps, sources, finished, calls}
UNWIND $ids AS id
MATCH (s:Stage {id: id})
USING INDEX s:Stage(id) // a young store's counts make the planner look at every task instead
MATCH (s)<-[:HAS_STAGE]-(k:Task)
RETURN s.id AS id, k.id AS task, coalesce(s.task_name, k.name) AS task_name, s.request AS request,
       s.description AS description, s.domain AS domain, s.run_ids AS run_ids, s.failed_runs AS failed_runs,
       s.unjudged_runs AS unjudged_runs, coalesce(s.idle_runs, []) AS idle_runs, coalesce(s.texts, []) AS texts,
       [(s)-[:SOLVED_BY]->(p) | p {.tools, .steps, .sources, .finished, .calls}] AS paths
