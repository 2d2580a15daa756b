// Takes away documents with their chunks and links.
// Parameters:
//   $ids: LIST<STRING>
// Columns: none
UNWIND $ids AS id
MATCH (d:Document {id: id})
OPTIONAL MATCH (d)-[:HAS_CHUNK]->(c:Chunk)
DETACH DELETE c, d
