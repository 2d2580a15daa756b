// Types that only registries name; a catalog's own definition of one is left as it is.
// Parameters:
//   $rows: LIST<MAP>, each {name, definition, identity, examples}
// Columns: none
UNWIND $rows AS row
MERGE (t:EntityType {name: row.name})
ON CREATE SET t.definition = row.definition, t.identity = row.identity, t.examples = row.examples, t.registry = true
