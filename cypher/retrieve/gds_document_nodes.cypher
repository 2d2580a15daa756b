// Ids that gds.pageRank knows documents and entities by: documents in the order of their ids, then entities in the
// order of theirs.
// Parameters: none
// Columns:
//   nodes: LIST<INTEGER>
CALL () {
  MATCH (d:Document)
  WITH d ORDER BY d.id
  RETURN collect(id(d)) AS documents
}
CALL () {
  MATCH (e:Entity)
  WITH e ORDER BY e.id
  RETURN collect(id(e)) AS entities
}
RETURN documents + entities AS nodes
