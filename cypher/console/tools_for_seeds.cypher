// Tools for these seeds, by Personalised PageRank in the server (Graph Data Science): the walk of `graphstore tools` over
// tools and solved stages. P = λ·H + (1 − λ)·S with λ = w / (w + 10); H is the mean of NEXT, NEXT read backwards and
// solved stages, S is SIMILAR read both ways, each row-normalised, w is a tool's weight of history. The probability of
// FOLLOWING an edge is 0.5. Projects, ranks and drops; runs on every version of the library.
// Parameters:
//   $tools: LIST<STRING>, ids of the seeds, such as ['get_document']
//   $limit: INTEGER, tools, such as 10
// Columns:
//   tool: NODE, a tool, the seeds among them
//   score: FLOAT, probability of the walk's visits, over all tools and stages 1
MATCH (seed:Tool)
WHERE seed.id IN $tools
WITH collect(seed) AS seeds
MATCH (m:Meta {id: 'graphstore'})
WHERE size(seeds) > 0
WITH seeds, 'graphstore-' + m.store + '-' + m.graph_version + '-console-' + randomUUID() AS graph
CALL (graph) {
  CALL () {
    MATCH (a:Tool)-[n:NEXT|TRIED]->(b:Tool)
    WHERE a <> b
    WITH a, b, coalesce(n.weight, 0.0) + 0.1 * coalesce(n.unjudged, 0) AS weight
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
  WITH source, parts, present, CASE WHEN alike = 0 THEN 1.0 ELSE history / (history + 10.0) END AS lambda
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
WITH seeds, graph, gds.graph.project(graph, source, target, {relationshipProperties: {weight: weight}}) AS projection
UNWIND seeds AS seed
CALL gds.pageRank.stream(projection.graphName, {
  sourceNodes: [seed], dampingFactor: 0.5, maxIterations: 60, tolerance: 1e-12, relationshipWeightProperty: 'weight'
}) YIELD nodeId, score
WITH graph, nodeId, sum(score) AS score
WITH graph, sum(score) AS total, collect([nodeId, score]) AS visits
CALL gds.graph.drop(graph, false) YIELD graphName
UNWIND visits AS visit
MATCH (tool:Tool)
WHERE id(tool) = visit[0] AND visit[1] > 0
RETURN tool, visit[1] / total AS score
ORDER BY score DESC, tool.id
LIMIT $limit
