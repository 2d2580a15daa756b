// Use of the tools in passed stage runs.
// Parameters:
//   $rows: LIST<MAP>, each {id, runs (count), last_seen (ISO 8601 or null)}
// Columns: none
MATCH (m:Meta {id: 'graphstore'})
UNWIND $rows AS row
MATCH (t:Tool {id: row.id})
SET t.runs = row.runs, t.last_seen = row.last_seen, t.changed = m.graph_version
