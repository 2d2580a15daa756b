// Removes chunks that belong to no document.
// Parameters: none
// Columns: none
MATCH (c:Chunk)
WHERE NOT (:Document)-[:HAS_CHUNK]->(c)
DETACH DELETE c
