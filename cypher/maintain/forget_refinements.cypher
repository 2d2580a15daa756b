// Takes away what refinements decided about names in documents that are taken away.
// Parameters:
//   $ids: LIST<STRING>, of the documents
// Columns: none
MATCH (d:Decision {kind: 'refine'})
WHERE any(id IN d.documents WHERE id IN $ids)
DETACH DELETE d
