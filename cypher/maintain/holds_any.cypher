// Whether the store holds anything but its own node.
// Parameters: none
// Columns:
//   any: BOOLEAN
RETURN EXISTS { MATCH (n) WHERE NOT (n:Meta AND n.id = 'graphstore') } AS any
