// A stage is known by its id, task/stage.
// Parameters: none
// Columns: none
CREATE CONSTRAINT unique_stage IF NOT EXISTS FOR (n:Stage) REQUIRE n.id IS UNIQUE
