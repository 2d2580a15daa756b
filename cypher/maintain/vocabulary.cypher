// Labels, relationship types and property names that the store knows.
// Parameters: none
// Columns:
//   kind: STRING, "labels", "types" or "properties"
//   name: STRING, the name
CALL () {
  CALL db.labels() YIELD label
  RETURN 'labels' AS kind, label AS name
  UNION ALL
  CALL db.relationshipTypes() YIELD relationshipType
  RETURN 'types' AS kind, relationshipType AS name
  UNION ALL
  CALL db.propertyKeys() YIELD propertyKey
  RETURN 'properties' AS kind, propertyKey AS name
}
RETURN kind, name
