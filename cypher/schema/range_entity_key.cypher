// Entities by normalised name.
// Parameters: none
// Columns: none
CREATE INDEX range_entity_key IF NOT EXISTS FOR (n:Entity) ON (n.key)
