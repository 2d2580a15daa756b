// Notes that a stage, a tool or a transition was deleted: a reader of an older state has to read all of it again.
// Parameters: none
// Columns: none
MATCH (g:Meta {id: 'graphstore'})
MERGE (m:Meta {id: 'tool_graph'})
SET m.removed = g.graph_version
