// Nearest tools by cosine.
// Parameters:
//   $dimensions: INTEGER, of the encoder
// Columns: none
CREATE VECTOR INDEX vector_tool IF NOT EXISTS FOR (n:Tool) ON (n.embedding)
OPTIONS {indexConfig: {`vector.dimensions`: $dimensions, `vector.similarity_function`: 'cosine'}}
