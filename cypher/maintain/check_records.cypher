// Entities that do not say what the record of their id says, and records whose entity does not know of them.
// Parameters: none
// Columns:
//   subject: STRING, entity id
//   found: STRING, what does not fit
MATCH (e:Entity)
OPTIONAL MATCH (r:Record {id: e.id})
WITH e, CASE
  WHEN e.record IS NOT NULL AND r IS NULL THEN 'no record has its id'
  WHEN r IS NOT NULL AND coalesce(e.record, '') <> r.hash THEN 'its record says something else'
END AS found
WHERE found IS NOT NULL
RETURN e.id AS subject, found ORDER BY subject
