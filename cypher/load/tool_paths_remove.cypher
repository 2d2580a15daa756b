// Remove the paths of stages that no run takes any more (a run was loaded again with another path or verdict).
// Parameters:
//   $rows: LIST<MAP>, each {stage, keep (LIST<STRING> of ToolPath ids)}
// Columns: none
UNWIND $rows AS row
MATCH (:Stage {id: row.stage})-[:SOLVED_BY]->(p:ToolPath)
WHERE NOT p.id IN row.keep
DETACH DELETE p
