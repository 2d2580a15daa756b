// Personalised PageRank on a projection, all seeds in one run; the scores are not normalised. Servers whose library is
// older than 2.26 refuse weighted seeds: gds_page_rank_by_seed gives the same there.
// Parameters:
//   $graph: STRING, name of the projection
//   $seeds: LIST<LIST>, each [node id, weight]
//   $damping: FLOAT, probability of FOLLOWING an edge, in [0, 1)
//   $iterations: INTEGER, at most so many
//   $tolerance: FLOAT, a node whose score rises by no more passes nothing on
// Columns:
//   nodes: LIST<INTEGER>, node ids
//   scores: LIST<FLOAT>, their scores, above 0
CALL gds.pageRank.stream($graph, {
  sourceNodes: $seeds, dampingFactor: $damping, maxIterations: $iterations, tolerance: $tolerance,
  relationshipWeightProperty: 'weight'
}) YIELD nodeId, score
WHERE score > 0
RETURN collect(nodeId) AS nodes, collect(score) AS scores
