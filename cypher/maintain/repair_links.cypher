// Removes links whose parallel lists differ in length, or that name no written form.
// Parameters: none
// Columns: none
MATCH (:Document)-[m:MENTIONS]->(:Entity)
WITH m, [list IN [m.names, m.statements, m.starts, m.ends, m.dates] | coalesce(size(list), -1)] AS found
WHERE found[0] < 1 OR found[1] < 0 OR any(length IN found[2..] WHERE length <> found[1])
DELETE m
