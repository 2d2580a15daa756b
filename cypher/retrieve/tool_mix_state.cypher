// What the learned mix was fitted on, beside what there is; one row.
// Parameters: none
// Columns:
//   stages: INTEGER, solved stages that can be learned from
//   fitted: INTEGER, those that it was fitted on, or null
//   form: INTEGER, version of its features, or null
//   encoder: STRING, whose vectors it was fitted on, or null
CALL () {
  MATCH (s:Stage)
  WHERE s.embedding IS NOT NULL AND EXISTS { (s)-[:SOLVED_BY]->() }
  RETURN count(s) AS stages
}
OPTIONAL MATCH (m:Meta {id: 'tool_mix'})
RETURN stages, m.stages AS fitted, m.form AS form, m.encoder AS encoder
