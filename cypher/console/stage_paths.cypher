// The successful paths of a stage, shortest first.
// Parameters:
//   $stage: STRING, stage id, such as 'TW_0034/1'
// Columns:
//   length: INTEGER, calls
//   count: INTEGER, passed runs that took it
//   efficiency: FLOAT, length of the shortest / this length
//   tools: LIST<STRING>, tool ids in order
//   ways: LIST<PATH>, from the stage over the path to each of its tools
MATCH way = (:Stage {id: $stage})-[:SOLVED_BY]->(path:ToolPath)-[step:STEP]->(:Tool)
WITH path, way, step.index AS index
ORDER BY index
WITH path, collect(way) AS ways
RETURN path.length AS length, path.count AS count, path.efficiency AS efficiency, path.tools AS tools, ways
ORDER BY length, count DESC, tools
