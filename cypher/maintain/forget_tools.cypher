// Takes away tools with all their edges.
// Parameters:
//   $ids: LIST<STRING>, tool ids
// Columns: none
UNWIND $ids AS id
MATCH (t:Tool {id: id})
DETACH DELETE t
