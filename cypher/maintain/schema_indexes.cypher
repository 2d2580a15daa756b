// Indexes, and whether each holds a uniqueness constraint.
// Parameters: none
// Columns:
//   name: STRING, its name
//   type: STRING, RANGE, FULLTEXT, VECTOR or LOOKUP
//   on: LIST<STRING>, labels or types
//   properties: LIST<STRING>, what it indexes
//   unique: BOOLEAN, whether a uniqueness constraint stands on it
//   state: STRING, ONLINE when it can be used
SHOW INDEXES YIELD name, type, labelsOrTypes, properties, owningConstraint, state
RETURN name, type, labelsOrTypes AS on, properties, owningConstraint IS NOT NULL AS unique, state
ORDER BY type, name
