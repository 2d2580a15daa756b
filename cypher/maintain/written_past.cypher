// Notes that the graph may have been written by other statements than graphstore's: who knows an older state reads all again.
// Parameters: none
// Columns: none
MATCH (m:Meta {id: 'graphstore'})
SET m.past = m.graph_version
