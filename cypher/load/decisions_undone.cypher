// Takes decisions back; their rows stay in the ledger.
// Parameters:
//   $numbers: LIST<INTEGER>
//   $by: STRING, who
//   $at: STRING, when
// Columns: none
UNWIND $numbers AS number
MATCH (d:Decision {id: toString(number)})
SET d.undone = $at, d.undone_by = $by, d.dormant = false
