// Entities whose name or one of whose written forms holds these words, best first: those that at least two documents
// visible to a reader mention, so that what is hidden takes no place of what is not.
// Parameters:
//   $words: STRING, Lucene query, escaped
//   $limit: INTEGER, the most to return
//   $reader: LIST<STRING>, principals and groups, or null for the owner, who sees all
//   $as_of: STRING, the day, YYYY-MM-DD, on which a document must have been known, or null for now
// Columns:
//   id: STRING, entity id
CALL db.index.fulltext.queryNodes('fulltext_entity', $words) YIELD node, score
WHERE node.documents >= 2 AND COUNT {
  MATCH (d:Document)-[:MENTIONS]->(node)
  WHERE ($reader IS NULL OR size(coalesce(d.acl, [])) = 0 OR any(p IN d.acl WHERE p IN $reader))
    AND ($as_of IS NULL OR left(coalesce(d.modified, d.created, d.loaded), 10) <= $as_of)
} >= 2
RETURN node.id AS id ORDER BY score DESC, id LIMIT $limit
