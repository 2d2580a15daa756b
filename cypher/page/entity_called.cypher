// Entities, and records that no document mentions, of an id, a normalised name or a written form; what a reader may know
// of them is for the caller to see to.
// Parameters:
//   $id: STRING, entity or record id
//   $keys: LIST<STRING>, normalised names
//   $form: STRING, as written
// Columns:
//   id: STRING, entity or record id
CALL () {
  MATCH (e:Entity)
  WHERE e.id = $id OR e.key IN $keys OR $form IN e.aliases
     // the key is that of one form, which only hidden documents may use: others that differ in case and hyphens count too
     OR any(form IN e.aliases WHERE replace(replace(normalize(toLower(form), NFKC), '-', ' '), '_', ' ') IN $keys)
  RETURN e.id AS id
  UNION
  MATCH (r:Record) WHERE r.id = $id OR r.key IN $keys
  RETURN r.id AS id
}
RETURN DISTINCT id ORDER BY id
