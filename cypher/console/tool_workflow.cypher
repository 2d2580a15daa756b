// A tool's workflow: what came before and after it in passed runs, its closest companions among themselves, and the
// tools that mean alike (all there is for a tool without history).
// Parameters:
//   $tool: STRING, tool id, such as 'approve_permission_request'
//   $limit: INTEGER, companions, such as 8
// Columns:
//   way: PATH, NEXT, REQUIRES or SIMILAR between two tools
//   weight: FLOAT, of NEXT the runs weighted by efficiency, of SIMILAR the cosine
MATCH (tool:Tool {id: $tool})
CALL (tool) {
  CALL (tool) {
    MATCH (tool)-[n:NEXT]-(other:Tool)
    WHERE other <> tool
    WITH other, sum(n.weight) AS together
    ORDER BY together DESC, other.id
    LIMIT $limit
    RETURN collect(other) AS others
  }
  WITH [tool] + others AS group
  UNWIND group AS a
  MATCH way = (a)-[link:NEXT|REQUIRES]->(b:Tool)
  WHERE b IN group
  RETURN way, link.weight AS weight
  UNION ALL
  MATCH way = (tool)-[link:SIMILAR]-(:Tool)
  RETURN way, link.score AS weight
  ORDER BY weight DESC
  LIMIT $limit
}
RETURN way, weight
ORDER BY type(relationships(way)[0]), weight DESC
