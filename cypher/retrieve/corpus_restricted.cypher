// Documents that only some may read.
// Parameters: none
// Columns:
//   id: STRING
MATCH (d:Document)
WHERE size(coalesce(d.acl, [])) > 0
RETURN d.id AS id
ORDER BY id
