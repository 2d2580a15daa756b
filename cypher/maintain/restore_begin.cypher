// Marks the store as being restored: until the end it is not opened.
// Parameters:
//   $store: STRING, its new identity
// Columns: none
MATCH (m:Meta {id: 'graphstore'})
SET m.restoring = true, m.store = $store
