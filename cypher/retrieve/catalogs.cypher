// Every kept version of the type catalog, and whether documents are read with it.
// Parameters: none
// Columns:
//   version: INTEGER
//   source: STRING, who made it: file, local or llm
//   note: STRING, what it was made of
//   at: STRING, when it was kept, ISO 8601
//   catalog: STRING, JSON
//   used: BOOLEAN
MATCH (m:Meta) WHERE m.id STARTS WITH 'catalog/'
OPTIONAL MATCH (u:Meta {id: 'catalog'})
RETURN m.version AS version, m.source AS source, m.note AS note, m.at AS at, m.catalog AS catalog,
       coalesce(u.used = m.version, false) AS used
ORDER BY version
