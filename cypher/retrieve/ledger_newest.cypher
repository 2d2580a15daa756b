// The number of the newest decision about entities, taken back or not; 0 before the first.
// Parameters: none
// Columns:
//   number: INTEGER
MATCH (d:Decision)
RETURN coalesce(max(d.number), 0) AS number
