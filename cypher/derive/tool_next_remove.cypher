// Remove transitions that no stored run supports any more.
// Parameters:
//   $rows: LIST<MAP>, each {source, target}
// Columns: none
UNWIND $rows AS row
MATCH (:Tool {id: row.source})-[n:NEXT]->(:Tool {id: row.target})
DELETE n
