// Stages that belong to no task, or to several.
// Parameters: none
// Columns:
//   subject: STRING, stage id
//   found: INTEGER, number of tasks
MATCH (s:Stage)
WITH s, COUNT { (:Task)-[:HAS_STAGE]->(s) } AS found
WHERE found <> 1
RETURN s.id AS subject, found ORDER BY subject
