// What the documents visible to a reader that say most of each given entity say of it, with its vectors: a row a chunk.
// Those come first that are about the entity, then those that mention it most; no choice depends on where a document lies.
// Parameters:
//   $ids: LIST<STRING>, entity ids
//   $documents: INTEGER, documents of an entity
//   $reader: LIST<STRING>, principals and groups, or null for the owner, who sees all
//   $as_of: STRING, the day, YYYY-MM-DD, on which a document must have been known, or null for now
// Columns:
//   entity: STRING, id
//   document: STRING, id
//   said: LIST<LIST<INTEGER>>, starts and ends of the document's statements about the entity, two parallel lists
//   starts: LIST<INTEGER>, character offsets of the chunk's sentences
//   ends: LIST<INTEGER>
//   sentences: BYTES, their vectors, float16, side by side, or null
//   embedding: LIST<FLOAT>, the chunk's vector, where the document names the entity in no statement; else null
UNWIND $ids AS id
MATCH (e:Entity {id: id})
CALL (e) {
  MATCH (d:Document)-[m:MENTIONS]->(e)
  WHERE ($reader IS NULL OR size(coalesce(d.acl, [])) = 0 OR any(p IN d.acl WHERE p IN $reader))
    AND ($as_of IS NULL OR left(coalesce(d.modified, d.created, d.loaded), 10) <= $as_of)
    AND EXISTS { (d)-[:HAS_CHUNK]->(:Chunk) }
  RETURN d, m.starts AS since, m.ends AS until
  ORDER BY coalesce(m.own, false) DESC, m.weight DESC, d.hash, since LIMIT $documents
}
MATCH (d)-[:HAS_CHUNK]->(c:Chunk)
WHERE any(i IN range(0, size(since) - 1) WHERE c.start < until[i] AND since[i] < c.end) OR (size(since) = 0 AND c.index = 0)
RETURN e.id AS entity, d.id AS document, [since, until] AS said, c.sentence_starts AS starts, c.sentence_ends AS ends,
       c.sentences AS sentences, CASE WHEN size(since) = 0 THEN c.embedding END AS embedding
