// The types of entity, with what belongs to each and when two are the same.
// Parameters:
//   $rows: LIST<MAP>, each {name, definition, identity, examples}
// Columns: none
UNWIND $rows AS row
MERGE (t:EntityType {name: row.name})
SET t.definition = row.definition, t.identity = row.identity, t.examples = row.examples, t.registry = null
