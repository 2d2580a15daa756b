// How much the corpus map holds, and since when a reader of an older state has to read all of it again; one row.
// Parameters: none
// Columns:
//   documents: INTEGER, how many there are
//   entities: INTEGER
//   past: INTEGER, graph_version at which the graph was last written past graphstore, or null
OPTIONAL MATCH (m:Meta {id: 'graphstore'})
RETURN COUNT { (:Document) } AS documents, COUNT { (:Entity) } AS entities, m.past AS past
