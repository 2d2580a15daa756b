// How much a backup of the store has to hold; a backup is restored where there is no node.
// Parameters: none
// Columns:
//   nodes: INTEGER, without the store's own
//   relationships: INTEGER
RETURN COUNT { MATCH (n) WHERE NOT (n:Meta AND n.id = 'graphstore') } AS nodes,
       COUNT { MATCH ()-[]->() } AS relationships
