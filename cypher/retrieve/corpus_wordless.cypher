// Pieces of documents whose words have no vectors, those of a number of documents.
// Parameters:
//   $most: INTEGER, documents at most
// Columns:
//   document: STRING, id
//   title: STRING
//   text: STRING, of the whole document
//   index: INTEGER, of the piece
//   start: INTEGER, character offsets
//   end: INTEGER
//   left: INTEGER, documents of which a piece has none, these included
MATCH (d:Document)-[:HAS_CHUNK]->(c:Chunk)
WHERE c.words IS NULL
WITH DISTINCT d ORDER BY d.id
WITH collect(d) AS every
UNWIND every[..$most] AS d
MATCH (d)-[:HAS_CHUNK]->(c:Chunk)
RETURN d.id AS document, coalesce(d.title, '') AS title, coalesce(d.text, '') AS text, c.index AS index, c.start AS start,
       c.end AS end, size(every) AS left
ORDER BY document, index
