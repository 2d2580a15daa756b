// Links whose parallel lists of statements, places and dates differ in length, or that name no written form.
// Parameters: none
// Columns:
//   subject: STRING, document id and entity id
//   found: LIST<INTEGER>, lengths of names, statements, starts, ends and dates
MATCH (d:Document)-[m:MENTIONS]->(e:Entity)
WITH d, e, [list IN [m.names, m.statements, m.starts, m.ends, m.dates] | coalesce(size(list), -1)] AS found
WHERE found[0] < 1 OR found[1] < 0 OR any(length IN found[2..] WHERE length <> found[1])
RETURN d.id + ' → ' + e.id AS subject, found ORDER BY subject
