// What is stored of some transitions: NEXT, or TRIED, whose count is 0; no row for one that no run made.
// Parameters:
//   $pairs: LIST<MAP>, each {source, target}
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
UNWIND $pairs AS pair
MATCH (:Tool {id: pair.source})-[n:NEXT|TRIED]->(:Tool {id: pair.target})
RETURN pair.source AS source, pair.target AS target, coalesce(n.count, 0) AS count, coalesce(n.weight, 0.0) AS weight,
       n.failures AS failures, coalesce(n.sources, []) AS sources, n.last_seen AS last_seen, n.blamed AS blamed,
       n.unjudged AS unjudged, n.sums AS sums
