// Vectors of the sentences of some documents, a row a chunk.
// Parameters:
//   $ids: LIST<STRING>, documents
// Columns:
//   document: STRING, id
//   starts: LIST<INTEGER>, character offsets of the sentences
//   ends: LIST<INTEGER>
//   sentences: BYTES, their vectors, float16, side by side, or null
UNWIND $ids AS id
MATCH (d:Document {id: id})-[:HAS_CHUNK]->(c:Chunk)
RETURN d.id AS document, c.sentence_starts AS starts, c.sentence_ends AS ends, c.sentences AS sentences
ORDER BY document, c.index
