// Vectors of chunks and of their sentences of the documents that were written since a graph_version, for the search snapshot, those
// of many documents a row.
// Parameters:
//   $block: INTEGER, documents a row
//   $since: INTEGER, graph_version of the state that is known, -1 if none is
// Columns:
//   documents: LIST<STRING>, the document of each chunk
//   embeddings: LIST<LIST<FLOAT>>, a vector a chunk; null if it was written past graphstore
//   sentences: LIST<BYTES>, vectors of the chunk's sentences, float16, side by side, or null
//   words: LIST<BYTES>, short vectors of the chunk's words, 32 bytes each, side by side, or null
MATCH (d:Document)
WHERE coalesce(d.changed, $since + 1) > $since
WITH d ORDER BY d.id
WITH collect(d) AS every
UNWIND range(0, size(every) - 1, $block) AS start
WITH every[start..start + $block] AS block, start
CALL (block) {
  UNWIND block AS d
  MATCH (d)-[:HAS_CHUNK]->(c:Chunk)
  WITH d, c ORDER BY d.id, c.index
  WITH collect(d.id) AS documents, collect(c) AS chunks
  RETURN documents, [c IN chunks | c.embedding] AS embeddings, [c IN chunks | c.sentences] AS sentences,
         [c IN chunks | c.words] AS words
}
RETURN documents, embeddings, sentences, words
ORDER BY start
