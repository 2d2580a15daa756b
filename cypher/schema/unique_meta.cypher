// There is one Meta node.
// Parameters: none
// Columns: none
CREATE CONSTRAINT unique_meta IF NOT EXISTS FOR (n:Meta) REQUIRE n.id IS UNIQUE
