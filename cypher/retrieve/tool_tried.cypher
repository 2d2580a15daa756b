// Transitions of failed and unjudged runs that no passed run made.
// Parameters: none
// Columns:
//   source: STRING, tool id
//   target: STRING, id of the tool that followed
//   failures: INTEGER, failed stage runs with this transition
//   blamed: INTEGER, the same number, as no passed run made it
//   unjudged: INTEGER, stage runs without a verdict with this transition
//   sums: LIST<INTEGER>, the failures with their age
MATCH (a:Tool)-[n:TRIED]->(b:Tool)
RETURN a.id AS source, b.id AS target, n.failures AS failures, n.blamed AS blamed, n.unjudged AS unjudged,
       n.sums AS sums
ORDER BY source, target
