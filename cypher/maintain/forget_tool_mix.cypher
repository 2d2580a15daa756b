// Takes out the learned mix of signals: its history is gone.
// Parameters: none
// Columns: none
MATCH (m:Meta {id: 'tool_mix'})
DELETE m
