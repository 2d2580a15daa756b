// What came into the store last: documents loaded, tools first seen or seen again in a run.
// Parameters:
//   $limit: INTEGER, changes, such as 25
// Columns:
//   at: STRING, when, ISO 8601
//   what: STRING, what happened
//   node: NODE, document or tool
CALL () {
  MATCH (d:Document)
  WHERE d.loaded IS NOT NULL
  RETURN d.loaded AS at, 'document loaded' AS what, d AS node
  ORDER BY at DESC
  LIMIT $limit
  UNION ALL
  MATCH (t:Tool)
  WHERE t.first_seen IS NOT NULL
  RETURN t.first_seen AS at, 'tool first seen' AS what, t AS node
  ORDER BY at DESC
  LIMIT $limit
  UNION ALL
  MATCH (t:Tool)
  WHERE t.last_seen IS NOT NULL
  RETURN t.last_seen AS at, 'tool last used' AS what, t AS node
  ORDER BY at DESC
  LIMIT $limit
}
RETURN at, what, node
ORDER BY at DESC, what, node.id
LIMIT $limit
