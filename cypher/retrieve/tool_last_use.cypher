// When some tools were last used, by the paths they stand on.
// Parameters:
//   $ids: LIST<STRING>, tool ids
//   $without: LIST<STRING>, ids of stages to leave out
// Columns:
//   id: STRING, tool id
//   last_seen: STRING, ISO 8601, '' where no run has a time
UNWIND $ids AS id
MATCH (:Tool {id: id})<-[:STEP]-(p:ToolPath)
WITH DISTINCT id, p
WHERE NOT EXISTS { (s:Stage)-[:SOLVED_BY]->(p) WHERE s.id IN $without }
UNWIND p.finished AS finished
RETURN id, max(finished) AS last_seen
