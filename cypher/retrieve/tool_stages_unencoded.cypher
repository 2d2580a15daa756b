// Stages that have words but not all vectors: written past graphstore, or a change of encoder that did not finish.
// Parameters:
//   $most: INTEGER, rows at the most
// Columns:
//   id: STRING, of the stage
//   text: STRING, its request, or else its description
MATCH (s:Stage)
WHERE s.embedding IS NULL OR s.clauses IS NULL
WITH s, CASE WHEN trim(coalesce(s.request, '')) <> '' THEN s.request ELSE coalesce(s.description, '') END AS text
WHERE trim(text) <> ''
RETURN s.id AS id, text
ORDER BY id
LIMIT $most
