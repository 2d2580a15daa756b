// The history graph.
// Parameters: none
// Columns:
//   source: STRING, tool id
//   target: STRING, id of the tool that followed
//   count: INTEGER, passed stage runs with this transition
//   weight: FLOAT, sum of their paths' efficiency
//   failures: INTEGER, failed stage runs with this transition
//   sources: LIST<STRING>, ids of the passed runs
//   last_seen: STRING, time of the latest, or null
MATCH (a:Tool)-[n:NEXT]->(b:Tool)
RETURN a.id AS source, b.id AS target, n.count AS count, n.weight AS weight, n.failures AS failures,
       n.sources AS sources, n.last_seen AS last_seen
ORDER BY source, target
