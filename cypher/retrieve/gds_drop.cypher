// Drops a projection, if it is there.
// Parameters:
//   $graph: STRING, its name
// Columns:
//   graph: STRING, its name
CALL gds.graph.drop($graph, false) YIELD graphName
RETURN graphName AS graph
