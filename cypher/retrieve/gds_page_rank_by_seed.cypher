// Personalised PageRank on a projection, one run a seed, added by weight (it is linear in its seeds); the scores are not
// normalised. Runs on every version of the library.
// Parameters:
//   $graph: STRING, name of the projection
//   $seeds: LIST<LIST>, each [node id, weight]
//   $damping: FLOAT, probability of FOLLOWING an edge, in [0, 1)
//   $iterations: INTEGER, at most so many
//   $tolerance: FLOAT, a node whose score rises by no more passes nothing on
// Columns:
//   nodes: LIST<INTEGER>, node ids
//   scores: LIST<FLOAT>, their scores, above 0
UNWIND $seeds AS seed
CALL gds.pageRank.stream($graph, {
  sourceNodes: [seed[0]], dampingFactor: $damping, maxIterations: $iterations, tolerance: $tolerance,
  relationshipWeightProperty: 'weight'
}) YIELD nodeId, score
WHERE score > 0
WITH nodeId, sum(seed[1] * score) AS score
RETURN collect(nodeId) AS nodes, collect(score) AS scores
