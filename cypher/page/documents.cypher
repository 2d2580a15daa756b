// Every document that a reader may see, without its text.
// Parameters:
//   $reader: LIST<STRING>, principals and groups, or null for the owner, who sees all
//   $as_of: STRING, the day, YYYY-MM-DD, on which a document must have been known, or null for now
// Columns:
//   id: STRING, document id
//   path: STRING, its path
//   title: STRING, its title
//   created: STRING, ISO 8601, or null
//   modified: STRING, ISO 8601, or null
//   earlier: LIST<STRING>, paths under which it lay before, oldest first
MATCH (d:Document)
WHERE ($reader IS NULL OR size(coalesce(d.acl, [])) = 0 OR any(p IN d.acl WHERE p IN $reader))
  AND ($as_of IS NULL OR left(coalesce(d.modified, d.created, d.loaded), 10) <= $as_of)
RETURN d.id AS id, d.path AS path, d.title AS title, d.created AS created, d.modified AS modified,
       coalesce(d.earlier, []) AS earlier ORDER BY path, id
