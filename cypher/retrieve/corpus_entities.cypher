// Entities for the search snapshot that were written since a graph_version, in the order of their ids.
// Parameters:
//   $since: INTEGER, graph_version of the state that is known, -1 if none is
// Columns:
//   id: STRING
//   name: STRING, as the owner sees it
//   type: STRING, or null
//   record: LIST, [name, aliases, acl] of its record in a registry, or null without one
MATCH (e:Entity)
WHERE coalesce(e.changed, $since + 1) > $since
OPTIONAL MATCH (e)-[:OF_TYPE]->(t:EntityType)
RETURN e.id AS id, e.name AS name, t.name AS type,
       CASE WHEN e.record_name IS NOT NULL
         THEN [e.record_name, coalesce(e.record_aliases, []), coalesce(e.acl, [])] END AS record
ORDER BY id
