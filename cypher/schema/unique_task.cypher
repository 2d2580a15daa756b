// A task is known by its id.
// Parameters: none
// Columns: none
CREATE CONSTRAINT unique_task IF NOT EXISTS FOR (n:Task) REQUIRE n.id IS UNIQUE
