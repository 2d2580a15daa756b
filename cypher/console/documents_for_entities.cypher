// Documents for these entities, by Personalised PageRank in the server (Graph Data Science): the walk of
// `graphstore search` over documents and entities, links read both ways and weighted by the square of the entity's
// rarity, log((n + 1) / documents) / log(n + 1) of n documents; a name in more than 3 % of them (and more than 10), or
// in one, links nothing unless it is a seed. As the owner sees it. The probability of FOLLOWING an edge is 0.85.
// Projects, ranks and drops; runs on every version of the library.
// Parameters:
//   $entities: LIST<STRING>, ids or names, such as ['Project Atlas']
//   $limit: INTEGER, documents, such as 10
// Columns:
//   document: NODE, a document
//   score: FLOAT, probability of the walk's visits, over all documents and entities 1
//   ways: LIST<PATH>, from the document to the seeds that it mentions
MATCH (seed:Entity)
WHERE seed.id IN $entities OR seed.name IN $entities
WITH collect(seed) AS seeds, COUNT { (:Document) } AS n
MATCH (m:Meta {id: 'graphstore'})
WHERE size(seeds) > 0
WITH seeds, n, 'graphstore-' + m.store + '-' + m.graph_version + '-console-' + randomUUID() AS graph
CALL (n, seeds) {
  MATCH (d:Document)-[m:MENTIONS]->(e:Entity)
  WITH n, seeds, e, count(d) AS documents, collect([d, coalesce(m.weight, 1.0)]) AS links
  WHERE e IN seeds OR (documents >= 2 AND (documents <= 10 OR documents <= toInteger(0.03 * n)))
  WITH e, links, (log(toFloat(n + 1) / documents) / log(n + 1)) ^ 2 AS rarity
  UNWIND links AS link
  RETURN link[0] AS source, e AS target, link[1] * rarity AS weight
  UNION ALL
  MATCH (alone:Document|Entity)
  RETURN alone AS source, null AS target, null AS weight
}
WITH seeds, graph, gds.graph.project(graph, source, target, {relationshipProperties: {weight: weight}}, {undirectedRelationshipTypes: ['*']}) AS projection
UNWIND seeds AS seed
CALL gds.pageRank.stream(projection.graphName, {
  sourceNodes: [seed], dampingFactor: 0.85, maxIterations: 200, tolerance: 1e-12, relationshipWeightProperty: 'weight'
}) YIELD nodeId, score
WITH seeds, graph, nodeId, sum(score) AS score
WITH seeds, graph, sum(score) AS total, collect([nodeId, score]) AS visits
CALL gds.graph.drop(graph, false) YIELD graphName
UNWIND visits AS visit
MATCH (document:Document)
WHERE id(document) = visit[0] AND visit[1] > 0
RETURN document, visit[1] / total AS score, [way = (document)-[:MENTIONS]->(e:Entity) WHERE e IN seeds | way] AS ways
ORDER BY score DESC, document.id
LIMIT $limit
