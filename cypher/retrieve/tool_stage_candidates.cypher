// Some stages, to name in an error what could have been meant.
// Parameters:
//   $word: STRING, part of an id or request, in any case
//   $limit: INTEGER, at most so many
// Columns:
//   id: STRING, stage id
//   request: STRING, what was asked
MATCH (s:Stage)
WHERE toLower(s.id) CONTAINS toLower($word) OR toLower(s.request) CONTAINS toLower($word)
RETURN s.id AS id, s.request AS request
ORDER BY id
LIMIT $limit
