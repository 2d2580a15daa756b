// Documents by what file systems may take their paths for.
// Parameters: none
// Columns: none
CREATE INDEX range_document_alike IF NOT EXISTS FOR (n:Document) ON (n.alike)
