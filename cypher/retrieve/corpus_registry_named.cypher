// Documents by id or path.
// Parameters:
//   $names: LIST<STRING>, ids or paths
// Columns:
//   name: STRING, as asked for
//   id: STRING, of the document
UNWIND $names AS name
MATCH (d:Document)
WHERE d.id = name OR d.path = name
RETURN name AS name, d.id AS id
