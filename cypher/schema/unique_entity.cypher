// An entity's id is derived from its content; the constraint stands behind the registry.
// Parameters: none
// Columns: none
CREATE CONSTRAINT unique_entity IF NOT EXISTS FOR (n:Entity) REQUIRE n.id IS UNIQUE
