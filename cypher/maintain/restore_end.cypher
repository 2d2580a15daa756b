// Opens the store that was restored.
// Parameters:
//   $schema_version: INTEGER, of the backup
//   $graph_version: INTEGER, of the backup: nodes may hold it, so that the store's is never below
// Columns: none
MATCH (m:Meta {id: 'graphstore'})
SET m.schema_version = $schema_version,
    m.graph_version = CASE WHEN m.graph_version > $graph_version THEN m.graph_version ELSE $graph_version + 1 END
REMOVE m.restoring
