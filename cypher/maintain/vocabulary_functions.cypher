// Functions that statements may call.
// Parameters: none
// Columns:
//   kind: STRING, "functions"
//   name: STRING, the name
SHOW FUNCTIONS YIELD name
RETURN 'functions' AS kind, name
