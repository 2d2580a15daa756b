// The history graph: what directly followed what in passed stage runs.
// Parameters:
//   $rows: LIST<MAP>, each {source, target, count, weight, failures, blamed, unjudged, sums (whole numbers), sources (run
//     ids), last_seen}
// Columns: none
MATCH (m:Meta {id: 'graphstore'})
UNWIND $rows AS row
MATCH (a:Tool {id: row.source}), (b:Tool {id: row.target})
MERGE (a)-[n:NEXT]->(b)
SET n.count = row.count,
    n.weight = row.weight,
    n.failures = row.failures,
    n.blamed = row.blamed,
    n.unjudged = row.unjudged,
    n.sums = row.sums,
    n.sources = row.sources,
    n.last_seen = row.last_seen,
    n.changed = m.graph_version
