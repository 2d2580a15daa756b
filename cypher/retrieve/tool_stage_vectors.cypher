// Vectors of stages that have one, with the text that each is of: what need not be encoded again.
// Parameters:
//   $ids: LIST<STRING>, stage ids
// Columns:
//   text: STRING, the stage's request, or else its description
//   embedding: LIST<FLOAT>, unit vector of the text
//   clauses: BYTES, vectors of its clauses, see retrieve/tool_solved_stages
UNWIND $ids AS id
MATCH (s:Stage {id: id})
WHERE s.embedding IS NOT NULL AND s.clauses IS NOT NULL
RETURN CASE s.request WHEN '' THEN trim(s.description) ELSE s.request END AS text, s.embedding AS embedding, s.clauses AS clauses
