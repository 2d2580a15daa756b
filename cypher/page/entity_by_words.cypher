// Entities whose name or one of whose written forms holds these words, best first.
// Parameters:
//   $words: STRING, Lucene query, escaped
//   $limit: INTEGER, the most to return
// Columns:
//   id: STRING, entity id
//   score: FLOAT, of the full-text index
CALL db.index.fulltext.queryNodes('fulltext_entity', $words, {limit: $limit}) YIELD node, score
RETURN node.id AS id, score ORDER BY score DESC, id
