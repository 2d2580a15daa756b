// Nearest entities by cosine.
// Parameters:
//   $dimensions: INTEGER, of the encoder
// Columns: none
CREATE VECTOR INDEX vector_entity IF NOT EXISTS FOR (n:Entity) ON (n.embedding)
OPTIONS {indexConfig: {`vector.dimensions`: $dimensions, `vector.similarity_function`: 'cosine'}}
