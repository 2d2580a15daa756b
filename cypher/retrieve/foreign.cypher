// Names of data that is not among the given ids, a few of each kind: the demo refuses a store that holds such.
// Parameters:
//   $documents: LIST<STRING>, known document ids
//   $tasks: LIST<STRING>, known task ids
//   $tools: LIST<STRING>, known tool ids
// Columns:
//   kind: STRING, document, task or tool
//   id: STRING, one that is not known
CALL () {
  MATCH (d:Document) WHERE NOT d.id IN $documents RETURN 'document' AS kind, d.id AS id LIMIT 1
  UNION ALL
  MATCH (t:Task) WHERE NOT t.id IN $tasks RETURN 'task' AS kind, t.id AS id LIMIT 1
  UNION ALL
  MATCH (t:Tool) WHERE NOT t.id IN $tools RETURN 'tool' AS kind, t.id AS id LIMIT 1
}
RETURN kind, id
