// Links whose parallel lists of statements, places and dates differ in length, or that name no written form.
// Parameters: none
// Columns:
//   subject: STRING, document id and entity id
//   found: LIST<INTEGER>, lengths of names, statements, starts, ends and dates
MATCH (d:Document)-[m:MENTIONS]->(e:Entity)
WITH d, e, [size(m.names), size(m.statements), size(m.starts), size(m.ends), size(m.dates)] AS found
WHERE any(length IN found WHERE length IS NULL OR (length <> found[1] AND length <> found[0])) OR found[0] = 0
   OR found[1] <> found[2] OR found[1] <> found[3] OR found[1] <> found[4]
RETURN d.id + ' → ' + e.id AS subject, found ORDER BY subject
