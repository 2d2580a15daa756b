// A path is known by the hash of its stage and tools.
// Parameters: none
// Columns: none
CREATE CONSTRAINT unique_tool_path IF NOT EXISTS FOR (n:ToolPath) REQUIRE n.id IS UNIQUE
