// Removes some nodes, with their relationships; the store's own stays.
// Parameters:
//   $most: INTEGER, how many
// Columns:
//   removed: INTEGER, 0 when none is left
MATCH (n) WHERE NOT (n:Meta AND n.id = 'graphstore')
WITH n LIMIT $most
DETACH DELETE n
RETURN count(*) AS removed
