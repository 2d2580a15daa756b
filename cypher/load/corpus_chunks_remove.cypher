// Takes away the chunks of documents whose text changed, and the vectors of entities that were made of them.
// Parameters:
//   $documents: LIST<STRING>, ids
// Columns: none
MATCH (m:Meta {id: 'graphstore'})
UNWIND $documents AS id
MATCH (d:Document {id: id})-[:HAS_CHUNK]->(c:Chunk)
SET d.changed = m.graph_version
DETACH DELETE c
WITH DISTINCT d
MATCH (d)-[:MENTIONS]->(e:Entity)
WHERE e.embedding IS NOT NULL
SET e.embedding = null
