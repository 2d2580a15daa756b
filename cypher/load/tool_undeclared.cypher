// Tools that a log names: created without description; one that is known stays as it is.
// Parameters:
//   $rows: LIST<MAP>, each {id, name, embedding (LIST<FLOAT>)}
//   $now: STRING, ISO 8601 time, kept as first_seen
// Columns: none
MATCH (m:Meta {id: 'graphstore'})
UNWIND $rows AS row
MERGE (t:Tool {id: row.id})
ON CREATE SET t.first_seen = $now, t.runs = 0, t.name = row.name, t.embedding = row.embedding, t.linked = false,
              t.changed = m.graph_version
