// What is stored of registries, to tell new from changed records.
// Parameters: none
// Columns:
//   id: STRING, of the record
//   hash: STRING, of all that it says
//   source: STRING, the registry it was read from
MATCH (r:Record)
RETURN r.id AS id, r.hash AS hash, r.source AS source
