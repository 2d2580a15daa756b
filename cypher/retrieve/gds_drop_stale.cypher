// Drops the projections of older versions of a store, whoever made them; they are called graphstore-STORE-VERSION-….
// Parameters:
//   $store: STRING, identity of the store
//   $version: INTEGER, graph_version whose projections stay
// Columns:
//   graph: STRING, name of a dropped projection
CALL gds.graph.list() YIELD graphName
WITH graphName, split(graphName, '-') AS parts
WHERE parts[0] = 'graphstore' AND parts[1] = $store AND toInteger(parts[2]) < $version
CALL gds.graph.drop(graphName, false) YIELD graphName AS graph
RETURN graph
