// Vectors of chunks and of their sentences for the search snapshot, those of many documents a row.
// Parameters:
//   $block: INTEGER, documents a row
// Columns:
//   documents: LIST<STRING>, the document of each chunk
//   embeddings: LIST<LIST<FLOAT>>, a vector a chunk
//   sentences: LIST<BYTES>, vectors of the chunk's sentences, float16, side by side
MATCH (d:Document)
WITH d ORDER BY d.id
WITH collect(d) AS every
UNWIND range(0, size(every) - 1, $block) AS start
WITH every[start..start + $block] AS block, start
CALL (block) {
  UNWIND block AS d
  MATCH (d)-[:HAS_CHUNK]->(c:Chunk)
  WITH d, c ORDER BY d.id, c.index
  RETURN collect(d.id) AS documents, collect(c.embedding) AS embeddings, collect(c.sentences) AS sentences
}
RETURN documents, embeddings, sentences
ORDER BY start
