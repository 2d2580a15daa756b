// Tools whose text is new: their semantic and declared edges are not derived yet.
// Parameters: none
// Columns:
//   id: STRING, tool id
MATCH (t:Tool)
WHERE NOT coalesce(t.linked, false)
RETURN t.id AS id
ORDER BY id
