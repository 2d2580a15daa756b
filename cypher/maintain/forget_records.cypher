// Takes away records of registries.
// Parameters:
//   $ids: LIST<STRING>
// Columns: none
UNWIND $ids AS id
MATCH (r:Record {id: id})
DETACH DELETE r
