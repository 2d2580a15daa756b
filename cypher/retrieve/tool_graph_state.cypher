// What the history graph was derived with; one row, of nulls before it was derived.
// Parameters: none
// Columns:
//   rules: INTEGER, number of the rules, null where it has to be derived anew
//   half_life: FLOAT, days after which a run counts half, or null
//   reference: STRING, the day that ages are counted from, or null
//   known: BOOLEAN, whether anything was derived or has to be
//   holds: BOOLEAN, whether there is any stage
OPTIONAL MATCH (m:Meta {id: 'tool_graph'})
RETURN m.rules AS rules, m.half_life AS half_life, m.reference AS reference, m IS NOT NULL AS known,
       EXISTS { (:Stage) } AS holds
