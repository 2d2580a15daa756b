// Entities with one of these written forms, by a scan: for names that the full-text index holds no word of.
// Parameters:
//   $forms: LIST<STRING>, in lower case
// Columns:
//   id: STRING, entity id
MATCH (e:Entity)
WHERE any(form IN e.aliases WHERE toLower(form) IN $forms)
RETURN e.id AS id ORDER BY id
