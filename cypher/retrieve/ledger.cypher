// Every decision about entities, newest first, those that were taken back too.
// Parameters: none
// Columns:
//   number: INTEGER, in the ledger
//   kind: STRING, merge, split, distinct or refine
//   by: STRING, who decided
//   at: STRING, when
//   reason: STRING
//   score: FLOAT or null, confidence that the resolver had
//   entities: LIST<STRING>, ids at that time
//   names: LIST<STRING>, their names at that time
//   documents: LIST<STRING>, ids of the documents that it names
//   form: STRING, key of the name that it is about
//   moved: STRING, JSON: documents whose links it changed
//   dormant: BOOLEAN, whether it has nothing to be about now
//   undone: STRING or null, when it was taken back
//   undone_by: STRING or null, by whom
MATCH (d:Decision)
RETURN d.number AS number, d.kind AS kind, d.by AS by, d.at AS at, d.reason AS reason, d.score AS score,
       d.entities AS entities, d.names AS names, d.documents AS documents, d.key AS form, d.moved AS moved,
       coalesce(d.dormant, false) AS dormant, d.undone AS undone, d.undone_by AS undone_by
ORDER BY number DESC
