// What there is of the corpus map: ids of documents and of entities; one row.
// Parameters: none
// Columns:
//   documents: LIST<STRING>
//   entities: LIST<STRING>
RETURN COLLECT { MATCH (d:Document) RETURN d.id } AS documents, COLLECT { MATCH (e:Entity) RETURN e.id } AS entities
