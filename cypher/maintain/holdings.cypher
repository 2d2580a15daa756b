// How much the store holds, from the server's own counts.
// Parameters: none
// Columns:
//   tools: INTEGER, tools
//   tasks: INTEGER, tasks
//   documents: INTEGER, documents
//   entities: INTEGER, entities
RETURN
  COUNT { (:Tool) } AS tools,
  COUNT { (:Task) } AS tasks,
  COUNT { (:Document) } AS documents,
  COUNT { (:Entity) } AS entities
