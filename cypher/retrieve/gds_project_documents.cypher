// Projects documents and entities as one reader may see them for gds.pageRank, links read both ways and weighted by
// the square of the entity's rarity, log((n + 1) / documents) / log(n + 1) of the n visible documents; a name in too
// many of them, or in one, links nothing. Nodes without links are in it too.
// Parameters:
//   $graph: STRING, name of the projection
//   $reader: LIST<STRING>, principals and groups; null is the owner, who sees all
//   $as_of: STRING, the day, YYYY-MM-DD, on which a document must have been known, or null for now
//   $common: FLOAT, share of the visible documents beyond which a name links nothing
//   $always: INTEGER, … but in so many documents it always does
// Columns:
//   nodes: INTEGER, documents and entities
//   relationships: INTEGER, links, each counted in both directions
MATCH (d:Document)
WHERE ($reader IS NULL OR size(coalesce(d.acl, [])) = 0 OR any(p IN d.acl WHERE p IN $reader))
  AND ($as_of IS NULL OR left(coalesce(d.modified, d.created, d.loaded), 10) <= $as_of)
WITH count(d) AS n
WITH n, toFloat(n + 1) AS total, CASE WHEN toInteger($common * n) > $always THEN toInteger($common * n) ELSE $always END AS most
CALL (n, total, most) {
  MATCH (d:Document)-[m:MENTIONS]->(e:Entity)
  WHERE ($reader IS NULL OR size(coalesce(d.acl, [])) = 0 OR any(p IN d.acl WHERE p IN $reader))
    AND ($as_of IS NULL OR left(coalesce(d.modified, d.created, d.loaded), 10) <= $as_of)
  WITH n, total, most, e, count(d) AS documents, collect([d, coalesce(m.weight, 1.0)]) AS links
  WHERE 2 <= documents <= most
  WITH e, links, (log(total / documents) / log(total)) ^ 2 AS rarity
  UNWIND links AS link
  WITH e, link[0] AS d, link[1] * rarity AS weight
  WHERE weight > 0
  RETURN d AS source, e AS target, weight
  UNION ALL
  MATCH (alone:Document|Entity)
  RETURN alone AS source, null AS target, null AS weight
}
WITH gds.graph.project($graph, source, target, {relationshipProperties: {weight: weight}}, {undirectedRelationshipTypes: ['*']}) AS projection
RETURN projection.nodeCount AS nodes, projection.relationshipCount AS relationships
