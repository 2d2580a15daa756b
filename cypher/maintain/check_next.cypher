// Pairs of tools whose count in the history graph is not what the tool paths give.
// Parameters: none
// Columns:
//   subject: STRING, ids of the two tools
//   found: INTEGER, count of the edge
//   expected: INTEGER, passed stage runs that hold the pair
CALL () {
  MATCH (p:ToolPath)
  WHERE p.steps IS NULL OR p.steps[-1] = size(p.tools) - 1
  UNWIND range(0, size(p.tools) - 2) AS index
  WITH DISTINCT p, p.tools[index] AS source, p.tools[index + 1] AS target
  RETURN source, target, sum(size(p.sources)) AS expected, 0 AS found
  UNION ALL
  MATCH (p:ToolPath)
  WHERE p.steps[-1] < size(p.tools) - 1
  UNWIND range(0, size(p.tools) - 2) AS index
  UNWIND [other IN range(index + 1, size(p.tools) - 1) WHERE p.steps[other] = p.steps[index] + 1] AS next
  WITH DISTINCT p, p.tools[index] AS source, p.tools[next] AS target
  RETURN source, target, sum(size(p.sources)) AS expected, 0 AS found
  UNION ALL
  MATCH (a:Tool)-[n:NEXT]->(b:Tool)
  RETURN a.id AS source, b.id AS target, 0 AS expected, n.count AS found
}
WITH source, target, sum(expected) AS expected, sum(found) AS found
WHERE found <> expected
RETURN source + ' → ' + target AS subject, found, expected ORDER BY subject
