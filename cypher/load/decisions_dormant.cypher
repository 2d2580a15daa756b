// Whether decisions have something to be about.
// Parameters:
//   $rows: LIST<MAP>, each {number, dormant}
// Columns: none
UNWIND $rows AS row
MATCH (d:Decision {id: toString(row.number)})
SET d.dormant = row.dormant
