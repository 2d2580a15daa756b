// Nearest past stages by cosine.
// Parameters:
//   $dimensions: INTEGER, of the encoder
// Columns: none
CREATE VECTOR INDEX vector_stage IF NOT EXISTS FOR (n:Stage) ON (n.embedding)
OPTIONS {indexConfig: {`vector.dimensions`: $dimensions, `vector.similarity_function`: 'cosine'}}
