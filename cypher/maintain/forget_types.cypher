// Takes away types that only registries named and that nothing has any more.
// Parameters: none
// Columns: none
MATCH (t:EntityType)
WHERE t.registry AND NOT EXISTS { ()-[:OF_TYPE|UNRESOLVED]->(t) }
DELETE t
