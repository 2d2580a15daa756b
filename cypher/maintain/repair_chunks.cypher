// Removes the chunks of documents of which one is unusable: numbered wrongly, shared, or without a vector that is found.
// Parameters: none
// Columns: none
MATCH (m:Meta {id: 'graphstore'})
MATCH (d:Document)-[:HAS_CHUNK]->(c:Chunk)
WITH m, d, c ORDER BY c.index
WITH m, d, collect(c) AS chunks
WHERE [c IN chunks | c.index] <> range(0, size(chunks) - 1)
   OR any(c IN chunks WHERE c.embedding IS NULL
     OR size(c.embedding) <> m.dimensions
     OR all(x IN c.embedding WHERE x = 0.0)
     OR any(x IN c.embedding WHERE isNaN(x))
     OR COUNT { (:Document)-[:HAS_CHUNK]->(c) } <> 1)
UNWIND chunks AS c
DETACH DELETE c
