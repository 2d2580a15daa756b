// Nodes of a backup.
// Parameters:
//   $rows: LIST<MAP>, each {labels, properties}
// Columns:
//   id: STRING, the server's own, in the order of the rows
UNWIND range(0, size($rows) - 1) AS number
WITH number, $rows[number] AS row
CREATE (n:$(row.labels))
SET n = row.properties
RETURN number, elementId(n) AS id ORDER BY number
