// Whether a projection is there.
// Parameters:
//   $graph: STRING, its name
// Columns:
//   exists: BOOLEAN
CALL gds.graph.exists($graph) YIELD exists
RETURN exists
