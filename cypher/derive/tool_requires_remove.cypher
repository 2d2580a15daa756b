// Remove needs that no catalog declares and no schema shows any more.
// Parameters:
//   $rows: LIST<MAP>, each {source, target}
// Columns: none
UNWIND $rows AS row
MATCH (:Tool {id: row.source})-[r:REQUIRES]->(:Tool {id: row.target})
DELETE r
