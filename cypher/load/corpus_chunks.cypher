// Pieces of documents with their vectors; sentence vectors lie side by side in one byte array of float16. Vectors of entities that
// were made without them go.
// Parameters:
//   $rows: LIST<MAP>, each {document, id, index, start, end (character offsets), sentence_starts, sentence_ends, embedding, sentences (BYTES)}
// Columns: none
MATCH (m:Meta {id: 'graphstore'})
UNWIND $rows AS row
MATCH (d:Document {id: row.document})
MERGE (c:Chunk {id: row.id})
SET c.index = row.index,
    c.start = row.start,
    c.end = row.end,
    c.sentence_starts = row.sentence_starts,
    c.sentence_ends = row.sentence_ends,
    c.embedding = row.embedding,
    c.sentences = row.sentences
MERGE (d)-[:HAS_CHUNK]->(c)
SET d.changed = m.graph_version
WITH DISTINCT d
MATCH (d)-[:MENTIONS]->(e:Entity)
WHERE e.embedding IS NOT NULL
SET e.embedding = null
