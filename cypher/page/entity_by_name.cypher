// Entities of an id or of a normalised name.
// Parameters:
//   $id: STRING, entity id
//   $key: STRING, normalised name
// Columns:
//   id: STRING, entity id
MATCH (e:Entity)
WHERE e.id = $id OR e.key = $key
RETURN e.id AS id ORDER BY id
