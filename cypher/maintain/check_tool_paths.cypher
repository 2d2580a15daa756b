// Tool paths whose length, steps or count do not fit their tools and runs, or that solve no stage.
// Parameters: none
// Columns:
//   subject: STRING, path id
//   found: STRING, what does not fit
MATCH (p:ToolPath)
WITH p, COUNT { (p)-[:STEP]->(:Tool) } AS steps,
     [index IN range(0, size(p.tools) - 1) WHERE NOT EXISTS {
       (p)-[:STEP {index: index}]->(:Tool {id: p.tools[index]})
     }] AS missing
WITH p, CASE
  WHEN p.length <> size(p.tools) THEN 'length ' + toString(p.length) + ' for ' + toString(size(p.tools)) + ' tools'
  WHEN steps <> size(p.tools) OR size(missing) > 0 THEN toString(steps) + ' steps for ' + toString(size(p.tools)) + ' tools'
  WHEN p.count <> size(p.sources) THEN 'count ' + toString(p.count) + ' for ' + toString(size(p.sources)) + ' runs'
  WHEN size(p.calls) <> size(p.sources) OR any(calls IN p.calls WHERE calls < p.length) THEN 'calls ' + reduce(
    text = '', calls IN p.calls | text + toString(calls) + ' ') + 'for ' + toString(p.length) + ' tools'
  WHEN NOT (p)<-[:SOLVED_BY]-(:Stage) THEN 'no stage'
END AS found
WHERE found IS NOT NULL
RETURN p.id AS subject, found ORDER BY subject
