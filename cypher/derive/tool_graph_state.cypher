// What the history graph was derived with; rules is null where it has to be derived anew.
// Parameters:
//   $rules: INTEGER, number of the rules, or null
//   $half_life: FLOAT, days after which a run counts half, or null
//   $reference: STRING, the day that ages are counted from, or null
// Columns: none
MERGE (m:Meta {id: 'tool_graph'})
SET m.rules = $rules, m.half_life = $half_life, m.reference = $reference
