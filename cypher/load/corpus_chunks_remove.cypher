// Takes away the chunks of documents whose text changed.
// Parameters:
//   $documents: LIST<STRING>, ids
// Columns: none
MATCH (m:Meta {id: 'graphstore'})
UNWIND $documents AS id
MATCH (d:Document {id: id})-[:HAS_CHUNK]->(c:Chunk)
SET d.changed = m.graph_version
DETACH DELETE c
