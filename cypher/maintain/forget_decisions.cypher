// Takes decisions about entities out of the ledger: what they are about is forgotten.
// Parameters:
//   $numbers: LIST<INTEGER>
// Columns: none
UNWIND $numbers AS number
MATCH (d:Decision {id: toString(number)})
DETACH DELETE d
