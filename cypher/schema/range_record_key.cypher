// Records of registries by normalised name.
// Parameters: none
// Columns: none
CREATE INDEX range_record_key IF NOT EXISTS FOR (n:Record) ON (n.key)
