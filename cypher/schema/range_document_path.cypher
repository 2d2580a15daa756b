// Documents by path.
// Parameters: none
// Columns: none
CREATE INDEX range_document_path IF NOT EXISTS FOR (n:Document) ON (n.path)
