// Takes away those of some tasks that have no stage any more, and names the others by the stages that are left.
// Parameters:
//   $ids: LIST<STRING>, task ids
// Columns: none
UNWIND $ids AS id
MATCH (k:Task {id: id})
OPTIONAL MATCH (k)-[:HAS_STAGE]->(s:Stage)
WITH k, count(s) AS stages, min(CASE s.task_name WHEN '' THEN null ELSE s.task_name END) AS name
SET k.name = coalesce(name, '')
WITH k, stages
WHERE stages = 0
DETACH DELETE k
