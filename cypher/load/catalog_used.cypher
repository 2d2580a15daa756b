// Which version of the type catalog documents are read with from now on.
// Parameters:
//   $version: INTEGER, 0 is the built-in one
// Columns: none
MERGE (m:Meta {id: 'catalog'})
SET m.used = $version
