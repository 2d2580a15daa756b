// Procedures that statements may call.
// Parameters: none
// Columns:
//   kind: STRING, "procedures"
//   name: STRING, the name
SHOW PROCEDURES YIELD name
RETURN 'procedures' AS kind, name
