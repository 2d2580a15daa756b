// Takes away the chunks of documents whose text changed.
// Parameters:
//   $documents: LIST<STRING>, ids
// Columns: none
UNWIND $documents AS id
MATCH (:Document {id: id})-[:HAS_CHUNK]->(c:Chunk)
DETACH DELETE c
