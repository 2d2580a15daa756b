// Projects the fused walk over tools and solved stages for gds.pageRank, computed from the graph as graphstore does:
// P = λ·H + (1 − λ)·S with λ = w / (w + κ); H is the mean of NEXT, NEXT read backwards and solved stages, S is SIMILAR
// read both ways, each row-normalised, w is a tool's weight of history. The directed and the symmetric parts are one
// projection; tools and stages without edges are in it too.
// Parameters:
//   $graph: STRING, name of the projection
//   $unjudged: FLOAT, what a run without a verdict adds to the weight of its transitions
//   $kappa: FLOAT, κ, weight of history at which history and semantics count alike
// Columns:
//   nodes: INTEGER, tools and solved stages
//   relationships: INTEGER, weighted moves between them
CALL () {
  CALL () {
    MATCH (a:Tool)-[n:NEXT|TRIED]->(b:Tool)
    WHERE a <> b
    WITH a, b, coalesce(n.weight, 0.0) + $unjudged * coalesce(n.unjudged, 0) AS weight
    WHERE weight > 0
    UNWIND [[a, b, 'next'], [b, a, 'previous']] AS move
    RETURN move[0] AS source, move[1] AS target, move[2] AS part, weight
    UNION ALL
    MATCH (a:Tool)-[s:SIMILAR]-(b:Tool)
    WHERE a <> b AND s.score > 0
    RETURN a AS source, b AS target, 'similar' AS part, s.score AS weight
    UNION ALL
    MATCH (stage:Stage)-[:SOLVED_BY]->(path:ToolPath)
    WHERE stage.embedding IS NOT NULL
    WITH stage, collect(path) AS paths, sum(path.count * path.efficiency) AS total
    UNWIND paths AS path
    MATCH (path)-[:STEP]->(tool:Tool)
    WITH DISTINCT stage, total, path, tool
    WITH stage, total, tool, sum(path.count * path.efficiency) AS used
    UNWIND [[tool, stage, 'solved'], [stage, tool, 'solving']] AS move
    RETURN move[0] AS source, move[1] AS target, move[2] AS part, used / total AS weight
  }
  WITH source, part, sum(weight) AS total, collect([target, weight]) AS moves
  WITH source,
       collect({name: part, total: total, moves: moves}) AS parts,
       sum(CASE WHEN part IN ['next', 'previous', 'solved'] THEN total ELSE 0.0 END) AS history,
       sum(CASE WHEN part IN ['next', 'previous', 'solved'] THEN 1 ELSE 0 END) AS present,
       sum(CASE WHEN part = 'similar' THEN 1 ELSE 0 END) AS alike
  WITH source, parts, present, CASE WHEN alike = 0 THEN 1.0 ELSE history / (history + $kappa) END AS lambda
  UNWIND parts AS part
  WITH source, part,
       CASE part.name WHEN 'similar' THEN 1.0 - lambda WHEN 'solving' THEN 1.0 ELSE lambda / present END AS share
  UNWIND part.moves AS move
  RETURN source, move[0] AS target, share * move[1] / part.total AS weight
  UNION ALL
  MATCH (alone:Tool|Stage)
  WHERE alone:Tool OR (alone.embedding IS NOT NULL AND EXISTS { (alone)-[:SOLVED_BY]->() })
  RETURN alone AS source, null AS target, null AS weight
}
WITH gds.graph.project($graph, source, target, {relationshipProperties: {weight: weight}}) AS projection
RETURN projection.nodeCount AS nodes, projection.relationshipCount AS relationships
