// First statement of every writing transaction: raises graph_version, and by writing to Meta locks it, so that writers queue.
// Parameters: none
// Columns:
//   version: INTEGER, the new graph_version
MERGE (m:Meta {id: 'graphstore'})
SET m.graph_version = coalesce(m.graph_version, 0) + 1
RETURN m.graph_version AS version
