// Documents visible to a reader whose paths differ from given ones at most in case or composition: a file system may take
// them for one.
// Parameters:
//   $paths: LIST<STRING>, paths in lower case, NFKD, with a last ".md" and without
//   $reader: LIST<STRING>, principals and groups, or null for the owner, who sees all
//   $as_of: STRING, the day, YYYY-MM-DD, on which a document must have been known, or null for now
// Columns:
//   id: STRING, document id
//   path: STRING, its path
MATCH (d:Document)
WHERE d.alike IN $paths
  AND ($reader IS NULL OR size(coalesce(d.acl, [])) = 0 OR any(p IN d.acl WHERE p IN $reader))
  AND ($as_of IS NULL OR left(coalesce(d.modified, d.created, d.loaded), 10) <= $as_of)
RETURN d.id AS id, d.path AS path
