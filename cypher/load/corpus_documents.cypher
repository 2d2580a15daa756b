// Documents, new or changed, with their extraction, and with what file systems may take their paths for.
// Parameters:
//   $rows: LIST<MAP>, each {id, path, title, text, hash, acl, created, modified, metadata (JSON), extracted (JSON), extraction (its hash), loaded}
// Columns: none
MATCH (m:Meta {id: 'graphstore'})
UNWIND $rows AS row
MERGE (d:Document {id: row.id})
SET d.path = row.path,
    d.alike = normalize(toLower(row.path), NFKD),
    d.title = row.title,
    d.text = row.text,
    d.hash = row.hash,
    d.acl = row.acl,
    d.created = row.created,
    d.modified = row.modified,
    d.metadata = row.metadata,
    d.extracted = row.extracted,
    d.extraction_hash = row.extraction,
    d.loaded = row.loaded,
    d.changed = m.graph_version
