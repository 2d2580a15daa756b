// Takes away stages with the paths that solved them.
// Parameters:
//   $ids: LIST<STRING>, stage ids
// Columns: none
UNWIND $ids AS id
MATCH (s:Stage {id: id})
OPTIONAL MATCH (s)-[:SOLVED_BY]->(p:ToolPath)
DETACH DELETE p, s
