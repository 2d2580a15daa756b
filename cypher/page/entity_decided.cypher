// Why visible documents are linked to an entity, least sure first.
// Parameters:
//   $id: STRING, entity id
//   $reader: LIST<STRING>, principals and groups, or null for the owner, who sees all
//   $as_of: STRING, the day, YYYY-MM-DD, on which a document must have been known, or null for now
// Columns:
//   document: STRING, id
//   path: STRING, where it lies
//   names: LIST<STRING>, written forms there
//   confidence: FLOAT, in [0, 1]
//   decision: STRING, ADD or LINK
//   reason: STRING
//   decided_by: STRING, local, person or refine
//   at: STRING, when
//   runner_up: STRING or null, id of the entity that it might have been
//   runner_up_forms: LIST<LIST<STRING>>, written forms of that entity, a list a visible document
MATCH (d:Document)-[m:MENTIONS]->(:Entity {id: $id})
WHERE ($reader IS NULL OR size(coalesce(d.acl, [])) = 0 OR any(p IN d.acl WHERE p IN $reader))
  AND ($as_of IS NULL OR left(coalesce(d.modified, d.created, d.loaded), 10) <= $as_of)
RETURN d.id AS document, d.path AS path, m.names AS names, m.confidence AS confidence, m.decision AS decision,
       m.reason AS reason, m.decided_by AS decided_by, m.at AS at, m.runner_up AS runner_up,
       COLLECT {
         MATCH (o:Document)-[n:MENTIONS]->(:Entity {id: m.runner_up})
         WHERE ($reader IS NULL OR size(coalesce(o.acl, [])) = 0 OR any(p IN o.acl WHERE p IN $reader))
           AND ($as_of IS NULL OR left(coalesce(o.modified, o.created, o.loaded), 10) <= $as_of)
         RETURN n.names
       } AS runner_up_forms
ORDER BY confidence, path, document
