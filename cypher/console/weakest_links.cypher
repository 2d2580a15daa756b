// The links that were decided with the least confidence, those first that had another candidate.
// Parameters:
//   $limit: INTEGER, links, such as 25
// Columns:
//   confidence: FLOAT, in [0, 1]
//   names: LIST<STRING>, as the document writes it
//   entity: STRING, name of what it was linked to
//   reason: STRING, what decided
//   runner_up: STRING, id of the other candidate, or null
//   statements: LIST<STRING>, the sentences
//   way: PATH, from document to entity
MATCH way = (document:Document)-[m:MENTIONS]->(e:Entity)
RETURN m.confidence AS confidence, m.names AS names, e.name AS entity, m.reason AS reason, m.runner_up AS runner_up,
       m.statements AS statements, way
ORDER BY confidence, runner_up IS NULL, document.id, e.id
LIMIT $limit
