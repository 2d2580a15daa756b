// Declared tools, from a catalog: create them, or fill and replace what is known of them.
// Parameters:
//   $rows: LIST<MAP>, each {id, name, server, domain, description, parameters (JSON text), output (JSON text or null),
//     requires (JSON text of [{tool, kind, parameter}] or null), embedding (LIST<FLOAT>)}
//   $now: STRING, ISO 8601 time, kept as first_seen of new tools
// Columns: none
MATCH (m:Meta {id: 'graphstore'})
UNWIND $rows AS row
MERGE (t:Tool {id: row.id})
ON CREATE SET t.first_seen = $now, t.runs = 0
SET t.name = row.name,
    t.server = row.server,
    t.domain = row.domain,
    t.description = row.description,
    t.parameters = row.parameters,
    t.output = row.output,
    t.requires = row.requires,
    t.embedding = row.embedding,
    t.linked = false,
    t.changed = m.graph_version
