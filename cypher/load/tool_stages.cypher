// Stages with the outcome of all their runs; passed runs with calls stand in the stage's ToolPaths.
// Parameters:
//   $rows: LIST<MAP>, each {id, task, task_name, request, description, domain, passed, runs (count), run_ids,
//     failed_runs (JSON texts {run, tools, reason, finished}), unjudged_runs (ids), no_calls (count), embedding or null}
// Columns: none
UNWIND $rows AS row
MERGE (k:Task {id: row.task})
// the first of several names stands, whatever the order of loading
SET k.name = CASE WHEN k.name <> '' AND (row.task_name = '' OR k.name < row.task_name) THEN k.name ELSE row.task_name END
MERGE (s:Stage {id: row.id})
SET s.request = row.request,
    s.description = row.description,
    s.domain = row.domain,
    s.passed = row.passed,
    s.runs = row.runs,
    s.run_ids = row.run_ids,
    s.failed_runs = row.failed_runs,
    s.unjudged_runs = row.unjudged_runs,
    s.no_calls = row.no_calls,
    s.embedding = row.embedding
MERGE (k)-[:HAS_STAGE]->(s)
