// A type is known by its name.
// Parameters: none
// Columns: none
CREATE CONSTRAINT unique_entity_type IF NOT EXISTS FOR (n:EntityType) REQUIRE n.name IS UNIQUE
