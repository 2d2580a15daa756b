// Documents with text but without chunks, or without what extraction found: loaded by half.
// Parameters: none
// Columns:
//   subject: STRING, document id
//   found: STRING, what is missing
MATCH (d:Document)
WITH d, CASE
  WHEN d.text IS NULL OR d.hash IS NULL OR d.acl IS NULL THEN 'text, hash or acl'
  WHEN trim(d.text) <> '' AND NOT (d)-[:HAS_CHUNK]->(:Chunk) THEN 'chunks'
  WHEN d.extracted IS NULL THEN 'extraction'
END AS found
WHERE found IS NOT NULL
RETURN d.id AS subject, found ORDER BY subject
