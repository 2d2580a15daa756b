// Values to begin with for the parameters of the saved queries, out of what this store holds.
// Parameters: none
// Columns:
//   tool: STRING, id of the tool of most runs
//   tools: LIST<STRING>, it alone
//   stage: STRING, id of the stage of most paths
//   request: STRING, its request
//   entity: STRING, name of an entity of about eight documents: what a window shows well
//   entities: LIST<STRING>, it alone
//   question: STRING, a question about it
//   document: STRING, path of a document that mentions it
//   first: STRING, the same
//   second: STRING, path of the document that shares most entities with it
//   ways: LIST<LIST<STRING>>, the way from the one to the other over one of these
//   limit: INTEGER, rows
OPTIONAL MATCH (t:Tool)
WITH t ORDER BY coalesce(t.runs, 0) DESC, t.id LIMIT 1
OPTIONAL MATCH (s:Stage)
WITH t, s ORDER BY COUNT { (s)-[:SOLVED_BY]->() } DESC, s.id LIMIT 1
OPTIONAL MATCH (e:Entity)
WITH t, s, e ORDER BY abs(e.documents - 8), e.id LIMIT 1
OPTIONAL MATCH (d:Document)-[:MENTIONS]->(e)
WITH t, s, e, d ORDER BY d.id LIMIT 1
OPTIONAL MATCH (d)-[:MENTIONS]->(shared:Entity)<-[:MENTIONS]-(o:Document)
WITH t, s, e, d, o, count(shared) AS shared, min(shared.name) AS through ORDER BY shared DESC, o.id LIMIT 1
RETURN t.id AS tool, [t.id] AS tools, s.id AS stage, s.request AS request, e.name AS entity, [e.name] AS entities,
       'What is new about ' + e.name + '?' AS question, d.path AS document, d.path AS first, o.path AS second,
       [[d.path, through, o.path]] AS ways, 6 AS limit
