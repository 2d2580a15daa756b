// The version of the server's Graph Data Science library; the statement is refused where there is none.
// Parameters: none
// Columns:
//   version: STRING
RETURN gds.version() AS version
