// Memory that a projection and PageRank on it take, estimated by the server before anything is projected.
// Parameters:
//   $nodes: INTEGER, nodes to project
//   $relationships: INTEGER, weighted relationships between them
//   $iterations: INTEGER, of PageRank
// Columns:
//   bytes: INTEGER, at least
//   heap: FLOAT, the same as a share of the server's whole heap
CALL gds.graph.project.estimate('*', '*', {
  nodeCount: $nodes, relationshipCount: $relationships, relationshipProperties: 'weight'
}) YIELD bytesMin AS graph, heapPercentageMin AS graphShare
CALL gds.pageRank.stream.estimate(
  {nodeCount: $nodes, relationshipCount: $relationships, nodeProjection: '*', relationshipProjection: '*'},
  {maxIterations: $iterations}
) YIELD bytesMin AS rank, heapPercentageMin AS rankShare
RETURN graph + rank AS bytes, graphShare + rankShare AS heap
