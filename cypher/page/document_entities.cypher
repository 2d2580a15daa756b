// Entities that the given documents mention.
// Parameters:
//   $ids: LIST<STRING>, document ids
// Columns:
//   document: STRING, document id
//   entity: STRING, entity id
UNWIND $ids AS id
MATCH (d:Document {id: id})-[:MENTIONS]->(e:Entity)
WHERE e.documents >= 2
RETURN d.id AS document, e.id AS entity ORDER BY document, entity
