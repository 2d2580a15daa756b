// Vectors of stages that have none. Idempotent, in transactions of its own: run in auto-commit, again after a fault.
// Parameters:
//   $rows: LIST<MAP>, each {id, embedding (LIST<FLOAT>), clauses (BYTES)}
// Columns: none
MATCH (m:Meta {id: 'graphstore'})
UNWIND $rows AS row
CALL (row, m) {
  MATCH (s:Stage {id: row.id})
  SET s.embedding = row.embedding, s.clauses = row.clauses, s.changed = m.graph_version
} IN TRANSACTIONS OF 10000 ROWS
