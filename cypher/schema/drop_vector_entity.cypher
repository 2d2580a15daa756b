// Drops the vector index, to make it again with another encoder's dimensions.
// Parameters: none
// Columns: none
DROP INDEX vector_entity IF EXISTS
