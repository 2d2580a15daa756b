// Takes away links that were decided otherwise, and the vectors that were made of them.
// Parameters:
//   $rows: LIST<MAP>, each {document, entities (ids)}
// Columns: none
MATCH (g:Meta {id: 'graphstore'})
UNWIND $rows AS row
MATCH (d:Document {id: row.document})-[m:MENTIONS]->(e:Entity)
WHERE e.id IN row.entities
SET d.changed = g.graph_version, e.embedding = null
DELETE m
