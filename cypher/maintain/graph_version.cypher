// The store's identity and state; no row before the schema was applied.
// Parameters: none
// Columns:
//   store: STRING, identity of the store's content
//   version: INTEGER, graph_version
//   schema_version: INTEGER, or null
//   encoder: STRING, name of the encoder whose vectors the store holds, or null
//   dimensions: INTEGER, of these vectors, or null
//   restoring: BOOLEAN, true while a backup is brought back, else null
MATCH (m:Meta {id: 'graphstore'})
RETURN m.store AS store, m.graph_version AS version, m.schema_version AS schema_version, m.encoder AS encoder, m.dimensions AS dimensions,
  m.restoring AS restoring
