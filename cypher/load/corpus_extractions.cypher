// New extractions of documents that are otherwise as they were.
// Parameters:
//   $rows: LIST<MAP>, each {id, extracted (JSON), extraction (its hash)}
// Columns: none
UNWIND $rows AS row
MATCH (d:Document {id: row.id})
SET d.extracted = row.extracted, d.extraction_hash = row.extraction
