// Documents by content hash: a move keeps it.
// Parameters: none
// Columns: none
CREATE INDEX range_document_hash IF NOT EXISTS FOR (n:Document) ON (n.hash)
