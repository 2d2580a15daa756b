// Nodes of a backup.
// Parameters:
//   $rows: LIST<MAP>, each {labels, properties}
// Columns:
//   number: INTEGER, of the row, from 0
//   id: STRING, the server's own
UNWIND range(0, size($rows) - 1) AS number
WITH number, $rows[number] AS row
CREATE (n:$(row.labels))
SET n = row.properties
RETURN number, elementId(n) AS id ORDER BY number
