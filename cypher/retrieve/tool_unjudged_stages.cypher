// Stages with runs of unknown outcome that called something, sorted by id.
// Parameters: none
// Columns:
//   id: STRING, stage id
//   request: STRING, what was asked; the description where nothing was
//   embedding: LIST<FLOAT>, unit vector of that text
//   runs: LIST<STRING>, JSON texts {run, tools, steps, extra, finished}
MATCH (s:Stage)
WHERE s.embedding IS NOT NULL AND size(s.unjudged_runs) > 0
WITH s, [run IN s.unjudged_runs WHERE NOT run CONTAINS '"tools": []'] AS runs
WHERE size(runs) > 0
RETURN s.id AS id, CASE s.request WHEN '' THEN s.description ELSE s.request END AS request, s.embedding AS embedding, runs
ORDER BY id
