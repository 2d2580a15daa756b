// The learned mix of signals, in place of the one before.
// Parameters:
//   $row: MAP {start, features, thresholds, values, fitted, form, encoder, stages}, numbers and JSON texts
// Columns: none
MERGE (m:Meta {id: 'tool_mix'})
SET m += $row
