// Decisions about entities that hold.
// Parameters: none
// Columns:
//   number: INTEGER, in the ledger
//   kind: STRING, merge, split, distinct or refine
//   subjects: LIST<STRING>, anchors of the entities
//   documents: LIST<STRING>, ids
//   key: STRING, of the name it is about
//   mark: STRING
//   score: FLOAT or null
//   reason: STRING
//   by: STRING, who decided
//   dormant: BOOLEAN, whether it has nothing to be about
MATCH (d:Decision)
WHERE d.undone IS NULL
RETURN d.number AS number, d.kind AS kind, d.subjects AS subjects, d.documents AS documents, d.key AS key,
       d.mark AS mark, d.score AS score, d.reason AS reason, d.by AS by, d.dormant AS dormant
ORDER BY number
