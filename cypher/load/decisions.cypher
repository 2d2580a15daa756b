// Decisions about entities, as rows of the ledger.
// Parameters:
//   $rows: LIST<MAP>, each {id, number, kind, subjects (anchors), documents (ids), key, mark, score, reason, by, at, entities (ids then),
//     names (then), moved (JSON), dormant}
// Columns: none
UNWIND $rows AS row
CREATE (d:Decision)
SET d = row
