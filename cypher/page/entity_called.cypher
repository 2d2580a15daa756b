// Entities, and records that no document mentions, of an id, a normalised name or a written form; what a reader may know
// of them is for the caller to see to.
// Parameters:
//   $id: STRING, entity or record id
//   $keys: LIST<STRING>, normalised names
//   $form: STRING, as written
// Columns:
//   id: STRING, entity or record id
CALL () {
  MATCH (e:Entity) WHERE e.id = $id OR e.key IN $keys OR $form IN e.aliases
  RETURN e.id AS id
  UNION
  MATCH (r:Record) WHERE r.id = $id OR r.key IN $keys
  RETURN r.id AS id
}
RETURN DISTINCT id ORDER BY id
