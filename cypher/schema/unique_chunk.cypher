// A chunk is known by its document's id and its index.
// Parameters: none
// Columns: none
CREATE CONSTRAINT unique_chunk IF NOT EXISTS FOR (n:Chunk) REQUIRE n.id IS UNIQUE
