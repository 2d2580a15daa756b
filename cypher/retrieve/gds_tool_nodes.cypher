// Ids that gds.pageRank knows the nodes of the tool graph by: tools in the order of their ids, then solved stages in
// the order of theirs.
// Parameters: none
// Columns:
//   nodes: LIST<INTEGER>
CALL () {
  MATCH (t:Tool)
  WITH t ORDER BY t.id
  RETURN collect(id(t)) AS tools
}
CALL () {
  MATCH (s:Stage)
  WHERE s.embedding IS NOT NULL AND EXISTS { (s)-[:SOLVED_BY]->() }
  WITH s ORDER BY s.id
  RETURN collect(id(s)) AS stages
}
RETURN tools + stages AS nodes
