// Names the store when its schema is first applied, and what it was made with.
// Parameters:
//   $store: STRING, new identity, taken only where there is none
//   $schema_version: INTEGER
//   $encoder: STRING, name of the encoder
//   $dimensions: INTEGER, of its vectors
// Columns: none
MERGE (m:Meta {id: 'graphstore'})
SET m.store = coalesce(m.store, $store), m.schema_version = $schema_version, m.encoder = $encoder, m.dimensions = $dimensions
