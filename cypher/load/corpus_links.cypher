// Links from documents to what they mention, with the sentences that say so; vectors made of others go.
// Parameters:
//   $rows: LIST<MAP>, each {document, entity, names, count, weight, own (BOOLEAN, its title names the entity), statements, starts, ends, dates
//     (parallel lists; a date is '' where none is known), confidence, decision, reason, runner_up, decided_by, at}
// Columns: none
MATCH (g:Meta {id: 'graphstore'})
UNWIND $rows AS row
MATCH (d:Document {id: row.document})
MATCH (e:Entity {id: row.entity})
MERGE (d)-[m:MENTIONS]->(e)
SET m.names = row.names,
    m.count = row.count,
    m.weight = row.weight,
    m.own = row.own,
    m.statements = row.statements,
    m.starts = row.starts,
    m.ends = row.ends,
    m.dates = row.dates,
    m.confidence = row.confidence,
    m.decision = row.decision,
    m.reason = row.reason,
    m.runner_up = row.runner_up,
    m.decided_by = row.decided_by,
    m.at = row.at,
    d.changed = g.graph_version,
    e.embedding = null
