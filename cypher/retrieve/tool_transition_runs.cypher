// The paths on which two tools stand, to find the runs of a transition.
// Parameters:
//   $pairs: LIST<MAP>, each {source, target}
//   $without: LIST<STRING>, ids of stages to leave out
// Columns:
//   source: STRING, tool id
//   target: STRING, tool id
//   tools: LIST<STRING>, tool ids of a path with both
//   steps: LIST<INTEGER>, number of each tool's step
//   sources: LIST<STRING>, runs that took the path
//   finished: LIST<STRING>, time of each, or ''
UNWIND $pairs AS pair
MATCH (:Tool {id: pair.source})<-[:STEP]-(p:ToolPath)-[:STEP]->(:Tool {id: pair.target})
WITH DISTINCT pair, p
WHERE NOT EXISTS { (s:Stage)-[:SOLVED_BY]->(p) WHERE s.id IN $without }
RETURN pair.source AS source, pair.target AS target, p.tools AS tools, p.steps AS steps, p.sources AS sources,
       p.finished AS finished
