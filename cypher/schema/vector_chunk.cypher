// Nearest document chunks by cosine.
// Parameters:
//   $dimensions: INTEGER, of the encoder
// Columns: none
CREATE VECTOR INDEX vector_chunk IF NOT EXISTS FOR (n:Chunk) ON (n.embedding)
OPTIONS {indexConfig: {`vector.dimensions`: $dimensions, `vector.similarity_function`: 'cosine'}}
