// Makes the length, count and steps of tool paths those of their tools and runs.
// Parameters: none
// Columns: none
MATCH (p:ToolPath)
SET p.length = size(p.tools), p.count = size(p.sources)
WITH p
WHERE COUNT { (p)-[:STEP]->(:Tool) } <> size(p.tools)
   OR any(index IN range(0, size(p.tools) - 1) WHERE NOT EXISTS {
        (p)-[:STEP {index: index}]->(:Tool {id: p.tools[index]})
      })
CALL (p) {
  MATCH (p)-[old:STEP]->()
  DELETE old
}
UNWIND range(0, size(p.tools) - 1) AS index
MERGE (t:Tool {id: p.tools[index]})
CREATE (p)-[:STEP {index: index, step: p.steps[index]}]->(t)
