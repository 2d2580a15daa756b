// The entities of which documents say what is most like what they say of one, by their vectors, each with documents.
// Parameters:
//   $entity: STRING, its id, its name, or another form of it, such as 'Project Atlas'
//   $limit: INTEGER, entities, such as 10
// Columns:
//   alike: NODE, an entity that several documents mention
//   score: FLOAT, how near, in [0, 1]
//   ways: LIST<PATH>, from up to three documents to it
MATCH (e:Entity)
WHERE e.embedding IS NOT NULL
  AND (e.id = $entity OR toLower(e.name) = toLower($entity) OR any(a IN e.aliases WHERE toLower(a) = toLower($entity)))
WITH e ORDER BY e.documents DESC, e.id LIMIT 1
CALL db.index.vector.queryNodes('vector_entity', $limit + 1, e.embedding) YIELD node AS alike, score
WHERE alike <> e
RETURN alike, score, COLLECT {
  MATCH way = (d:Document)-[m:MENTIONS]->(alike)
  RETURN way ORDER BY m.weight DESC, d.id LIMIT 3
} AS ways
ORDER BY score DESC, alike.id
LIMIT $limit
