// Successful paths of stages; the steps of a path never change, as its id is made from them.
// Parameters:
//   $rows: LIST<MAP>, each {id, stage, tools, steps (number of each tool's step), length, count, sources (run ids),
//     finished (ISO 8601 or '', one a source), calls (made, one a source), efficiency, shortest}
// Columns: none
UNWIND $rows AS row
MATCH (s:Stage {id: row.stage})
MERGE (p:ToolPath {id: row.id})
SET p.tools = row.tools,
    p.steps = row.steps,
    p.length = row.length,
    p.count = row.count,
    p.sources = row.sources,
    p.finished = row.finished,
    p.calls = row.calls,
    p.efficiency = row.efficiency,
    p.shortest = row.shortest
MERGE (s)-[:SOLVED_BY]->(p)
// CREATE, as MERGE would search all steps of the path for each of them: minutes for ten thousand calls
WITH p, row
WHERE NOT EXISTS { (p)-[:STEP]->() }
UNWIND range(0, size(row.tools) - 1) AS index
MATCH (t:Tool {id: row.tools[index]})
CREATE (p)-[:STEP {index: index, step: row.steps[index]}]->(t)
