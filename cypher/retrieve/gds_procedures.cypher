// Which of some procedures the server offers; asks no plugin, so that it answers where there is none.
// Parameters:
//   $names: LIST<STRING>, full names
// Columns:
//   name: STRING, one that is there
SHOW PROCEDURES YIELD name
WHERE name IN $names
RETURN name
