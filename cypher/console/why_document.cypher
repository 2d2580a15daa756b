// Why a document is a result for a question: its own text, an entity that the words of the question find, or an entity
// that it shares with the documents that fit best; the fewer documents name that entity, the more it says.
// Parameters:
//   $question: STRING, such as 'Can Project Atlas launch on time?'
//   $document: STRING, its id or path, such as 'mail/2026-05-22-norrfjord-certificate.md'
//   $limit: INTEGER, reasons of each kind, such as 5
// Columns:
//   reason: STRING, in words
//   way: PATH, from what the words find to the document
//   score: FLOAT, how well the words fit
// plain text stays plain text: what the full-text index would read as a sign is taken out
WITH reduce(text = toLower($question), sign IN split('+-&|!(){}[]^"~*?:\\/', '') | replace(text, sign, ' ')) + ' _' AS words
MATCH (document:Document)
WHERE document.id = $document OR document.path = $document
CALL (words, document) {
  CALL db.index.fulltext.queryNodes('fulltext_document', words) YIELD node, score
  WHERE node = document
  MATCH way = (node)
  RETURN 'its own text fits' AS reason, way, score
  UNION ALL
  CALL db.index.fulltext.queryNodes('fulltext_entity', words, {limit: 20}) YIELD node, score
  MATCH way = (node)<-[:MENTIONS]-(document)
  RETURN 'it names ' + node.name AS reason, way, score
  ORDER BY score DESC, node.id
  LIMIT $limit
  UNION ALL
  CALL db.index.fulltext.queryNodes('fulltext_document', words, {limit: 5}) YIELD node, score
  MATCH way = (node)-[:MENTIONS]->(entity:Entity)<-[:MENTIONS]-(document)
  WHERE node <> document
  WITH node, entity, way, score
  ORDER BY entity.documents, score DESC, entity.id
  LIMIT $limit
  RETURN 'it shares ' + entity.name + ' with ' + node.path AS reason, way, score
}
RETURN reason, way, score
ORDER BY score DESC, reason
