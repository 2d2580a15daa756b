// What of the tool graph a reader of an older state has to read again; one row, graph_versions or null.
// Parameters: none
// Columns:
//   removed: INTEGER, at which a stage, tool or transition was last deleted: all is to be read
//   past: INTEGER, at which the graph was last written past graphstore: all is to be read
//   similar: INTEGER, at which the semantic graph was last written
//   tried: INTEGER, at which transitions without a passed run were last written
//   requires: INTEGER, at which needs were last written
OPTIONAL MATCH (m:Meta {id: 'tool_graph'})
OPTIONAL MATCH (g:Meta {id: 'graphstore'})
RETURN m.removed AS removed, g.past AS past, g.similar_changed AS similar, g.tried_changed AS tried, g.requires_changed AS requires
