// Stages with the outcome of all their runs; passed runs with calls stand in the stage's ToolPaths.
// Parameters:
//   $rows: LIST<MAP>, each {id, task, task_name, request, description, domain, passed, runs (count), run_ids,
//     failed_runs and unjudged_runs (JSON texts {run, tools, steps, extra, finished, reason}), idle_runs (JSON texts of
//     passed runs without calls), no_calls (their count), texts (JSON texts, where runs differ in what they say of the
//     stage), embedding or null,
//     clauses (BYTES, see retrieve/tool_solved_stages) or null}
// Columns: none
MATCH (m:Meta {id: 'graphstore'})
UNWIND $rows AS row
MERGE (k:Task {id: row.task})
MERGE (s:Stage {id: row.id})
SET s.task_name = row.task_name,
    s.request = row.request,
    s.description = row.description,
    s.domain = row.domain,
    s.passed = row.passed,
    s.runs = row.runs,
    s.run_ids = row.run_ids,
    s.failed_runs = row.failed_runs,
    s.unjudged_runs = row.unjudged_runs,
    s.idle_runs = row.idle_runs,
    s.no_calls = row.no_calls,
    s.texts = row.texts,
    s.embedding = row.embedding,
    s.clauses = row.clauses,
    s.changed = m.graph_version
MERGE (k)-[:HAS_STAGE]->(s)
WITH DISTINCT k
// the first of several names stands, whatever the order of loading
CALL (k) {
  MATCH (k)-[:HAS_STAGE]->(s:Stage)
  WHERE s.task_name <> ''
  RETURN min(s.task_name) AS name
}
SET k.name = coalesce(name, '')
