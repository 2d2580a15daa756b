// Tools whose semantic and declared edges are up to date.
// Parameters:
//   $ids: LIST<STRING>, tool ids
// Columns: none
UNWIND $ids AS id
MATCH (t:Tool {id: id})
SET t.linked = true
