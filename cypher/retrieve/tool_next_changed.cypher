// The transitions that were written since a graph_version; columns as in retrieve/tool_next.
// Parameters:
//   $since: INTEGER, graph_version of the state that is known
// Columns:
//   source: STRING, tool id
//   target: STRING, id of the tool that followed
//   count: INTEGER, passed stage runs with this transition
//   weight: FLOAT, sum of their runs' efficiency, lowered by failures, faded if so set
//   failures: INTEGER, failed stage runs with this transition
//   sources: LIST<STRING>, ids of some of the passed runs
//   last_seen: STRING, time of the latest, or null
//   blamed: INTEGER, those failures in whose stage no passed run made it
//   unjudged: INTEGER, stage runs without a verdict with this transition
//   sums: LIST<INTEGER>, what the weight is made of, exactly
MATCH (a:Tool)-[n:NEXT]->(b:Tool)
WHERE coalesce(n.changed, $since + 1) > $since
RETURN a.id AS source, b.id AS target, n.count AS count, n.weight AS weight, n.failures AS failures,
       n.sources AS sources, n.last_seen AS last_seen, n.blamed AS blamed, n.unjudged AS unjudged, n.sums AS sums
ORDER BY source, target
