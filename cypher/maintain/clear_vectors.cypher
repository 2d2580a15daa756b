// Removes the vectors of tools, stages and entities.
// Parameters: none
// Columns: none
MATCH (n:Tool|Stage|Entity)
WHERE n.embedding IS NOT NULL
REMOVE n.embedding, n.clauses
