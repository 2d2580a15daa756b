// Use of some tools in passed stage runs.
// Parameters:
//   $ids: LIST<STRING>, tool ids
// Columns:
//   id: STRING, tool id
//   runs: INTEGER, passed stage runs that used it
//   last_seen: STRING, time of the latest, or null
UNWIND $ids AS id
MATCH (t:Tool {id: id})
RETURN t.id AS id, t.runs AS runs, t.last_seen AS last_seen
