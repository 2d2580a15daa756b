// Takes away links that were decided otherwise.
// Parameters:
//   $rows: LIST<MAP>, each {document, entities (ids)}
// Columns: none
UNWIND $rows AS row
MATCH (:Document {id: row.document})-[m:MENTIONS]->(e:Entity)
WHERE e.id IN row.entities
DELETE m
