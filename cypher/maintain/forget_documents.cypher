// Takes away documents with their chunks and links, and the vectors of entities that were made of them.
// Parameters:
//   $ids: LIST<STRING>
// Columns: none
UNWIND $ids AS id
MATCH (d:Document {id: id})
CALL (d) {
  MATCH (d)-[:MENTIONS]->(e:Entity)
  SET e.embedding = null
}
OPTIONAL MATCH (d)-[:HAS_CHUNK]->(c:Chunk)
DETACH DELETE c, d
