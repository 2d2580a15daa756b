// Documents that lay at a path before they were moved, if a reader may see them.
// Parameters:
//   $path: STRING, the path
//   $reader: LIST<STRING>, principals and groups, or null for the owner, who sees all
//   $as_of: STRING, the day, YYYY-MM-DD, on which a document must have been known, or null for now
// Columns:
//   id: STRING, document id
MATCH (d:Document)
WHERE $path IN d.earlier
  AND ($reader IS NULL OR size(coalesce(d.acl, [])) = 0 OR any(p IN d.acl WHERE p IN $reader))
  AND ($as_of IS NULL OR left(coalesce(d.modified, d.created, d.loaded), 10) <= $as_of)
RETURN d.id AS id ORDER BY id
