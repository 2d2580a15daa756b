// Entities that several documents mention and that have no vector: what their documents say is new, or was changed.
// Parameters: none
// Columns:
//   id: STRING
MATCH (e:Entity)
WHERE e.documents >= 2 AND e.embedding IS NULL
RETURN e.id AS id ORDER BY id
