// Vectors of the words of pieces of documents, 32 bytes a word, side by side in one byte array.
// Parameters:
//   $rows: LIST<MAP>, each {document, index (of the chunk), words (BYTES)}
// Columns: none
MATCH (m:Meta {id: 'graphstore'})
UNWIND $rows AS row
MATCH (d:Document {id: row.document})-[:HAS_CHUNK]->(c:Chunk {index: row.index})
SET c.words = row.words,
    d.changed = m.graph_version
