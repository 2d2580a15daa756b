// All indexes with their state and, for vector indexes, their dimensions.
// Parameters: none
// Columns:
//   name: STRING
//   state: STRING, ONLINE when it can be used
//   dimensions: INTEGER, or null
SHOW INDEXES YIELD name, state, options
RETURN name, state, options.indexConfig['vector.dimensions'] AS dimensions ORDER BY name
