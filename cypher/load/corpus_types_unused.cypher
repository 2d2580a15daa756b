// Takes away types that are not in the catalog any more and that nothing has.
// Parameters:
//   $names: LIST<STRING>, of the types of the catalog
// Columns: none
MATCH (t:EntityType)
WHERE NOT t.name IN $names AND NOT EXISTS { ()-[:OF_TYPE|UNRESOLVED]->(t) }
DELETE t
