// How much a backup has to hold.
// Parameters: none
// Columns:
//   nodes: INTEGER, without the store's own
//   relationships: INTEGER
RETURN COUNT { MATCH (n) WHERE NOT (n:Meta AND n.id = 'graphstore') } AS nodes,
       COUNT { MATCH ()-[]->() } AS relationships
