// The databases of the server that the user may see.
// Parameters: none
// Columns:
//   name: STRING
//   state: STRING, online when it can be used
SHOW DATABASES YIELD name, currentStatus
RETURN name, currentStatus AS state ORDER BY name
