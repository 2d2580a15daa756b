// A version of the type catalog, kept for good.
// Parameters:
//   $row: MAP {id, version (number), source, note, at, catalog (JSON)}
// Columns: none
MERGE (m:Meta {id: $row.id})
SET m += $row
