// Waits until every index is online.
// Parameters:
//   $seconds: INTEGER, the most to wait
// Columns: none
CALL db.awaitIndexes($seconds)
