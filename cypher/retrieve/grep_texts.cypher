// Texts of those of the given documents that a reader may see and that hold a literal.
// Parameters:
//   $ids: LIST<STRING>, document ids
//   $literal: STRING, what a text must hold, or null for every text
//   $case: BOOLEAN, whether capitals are told from small letters
//   $reader: LIST<STRING>, principals and groups, or null for the owner, who sees all
//   $as_of: STRING, the day, YYYY-MM-DD, on which a document must have been known, or null for now
// Columns:
//   id: STRING, document id
//   text: STRING, its text
UNWIND $ids AS id
MATCH (d:Document {id: id})
WHERE ($reader IS NULL OR size(coalesce(d.acl, [])) = 0 OR any(p IN d.acl WHERE p IN $reader))
  AND ($as_of IS NULL OR left(coalesce(d.modified, d.created, d.loaded), 10) <= $as_of)
  AND ($literal IS NULL OR CASE WHEN $case THEN d.text CONTAINS $literal
                                ELSE toLower(d.text) CONTAINS toLower($literal) END)
RETURN d.id AS id, d.text AS text
