// A document is known by the caller's id or its path.
// Parameters: none
// Columns: none
CREATE CONSTRAINT unique_document IF NOT EXISTS FOR (n:Document) REQUIRE n.id IS UNIQUE
