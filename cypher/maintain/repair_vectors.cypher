// Removes vectors that no index finds.
// Parameters: none
// Columns: none
MATCH (m:Meta {id: 'graphstore'})
MATCH (n:Tool|Stage|Entity)
WHERE n.embedding IS NOT NULL AND (size(n.embedding) <> m.dimensions
  OR all(x IN n.embedding WHERE x = 0.0)
  OR any(x IN n.embedding WHERE isNaN(x)))
REMOVE n.embedding
