// Removes all chunks: where a document is cut depends on the encoder's window.
// Parameters: none
// Columns: none
MATCH (c:Chunk)
DETACH DELETE c
