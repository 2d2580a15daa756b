// Documents that have words but no chunk: a load or a change of encoder that did not finish.
// Parameters:
//   $ids: LIST<STRING>, documents
// Columns:
//   id: STRING, of the document
UNWIND $ids AS id
MATCH (d:Document {id: id})
WHERE NOT EXISTS { (d)-[:HAS_CHUNK]->() } AND trim(d.title + d.text) <> ''
RETURN d.id AS id
