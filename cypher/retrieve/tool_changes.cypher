// Since when a reader of an older state has to read all of the tool graph again; one row.
// Parameters: none
// Columns:
//   removed: INTEGER, graph_version at which a stage, tool or transition was last deleted, or null
//   past: INTEGER, graph_version at which the graph was last written past graphstore, or null
OPTIONAL MATCH (m:Meta {id: 'tool_graph'})
OPTIONAL MATCH (g:Meta {id: 'graphstore'})
RETURN m.removed AS removed, g.past AS past
