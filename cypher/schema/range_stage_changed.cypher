// Stages by the graph_version that last wrote them: what a reader of an older state has to read.
// Parameters: none
// Columns: none
CREATE INDEX range_stage_changed IF NOT EXISTS FOR (n:Stage) ON (n.changed)
