// Records of authoritative registries, new or changed.
// Parameters:
//   $rows: LIST<MAP>, each {id, name, key, type (or null), aliases, attributes (JSON), acl, source, hash, loaded}
// Columns: none
UNWIND $rows AS row
MERGE (r:Record {id: row.id})
SET r.name = row.name,
    r.key = row.key,
    r.type = row.type,
    r.aliases = row.aliases,
    r.attributes = row.attributes,
    r.acl = row.acl,
    r.source = row.source,
    r.hash = row.hash,
    r.loaded = row.loaded
