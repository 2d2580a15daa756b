// A tool is known by its id, server/name or name.
// Parameters: none
// Columns: none
CREATE CONSTRAINT unique_tool IF NOT EXISTS FOR (n:Tool) REQUIRE n.id IS UNIQUE
