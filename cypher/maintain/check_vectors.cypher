// Nodes whose vector is of another size than the store's encoder gives, or is all zeros: stored, but never found.
// Parameters: none
// Columns:
//   subject: STRING, label and id
//   found: STRING, what the vector is
//   expected: INTEGER, dimensions
MATCH (m:Meta {id: 'graphstore'})
MATCH (n:Tool|Stage|Chunk|Entity)
WHERE n.embedding IS NOT NULL OR n:Chunk
WITH n, m.dimensions AS expected, CASE
  WHEN n.embedding IS NULL THEN 'no vector'
  WHEN size(n.embedding) <> m.dimensions THEN toString(size(n.embedding)) + ' dimensions'
  WHEN all(x IN n.embedding WHERE x = 0.0) THEN 'zeros'
  WHEN any(x IN n.embedding WHERE isNaN(x)) THEN 'not numbers'
END AS found
WHERE found IS NOT NULL
RETURN labels(n)[0] + ' ' + n.id AS subject, found, expected ORDER BY subject
