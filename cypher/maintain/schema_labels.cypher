// Labels with the number of their nodes and the properties found on them.
// Parameters: none
// Columns:
//   label: STRING, the label
//   nodes: INTEGER, how many nodes carry it
//   properties: STRING, names of their properties, sorted
MATCH (n)
UNWIND labels(n) AS label
WITH label, count(*) AS nodes, collect(DISTINCT keys(n)) AS sets
UNWIND CASE WHEN sets = [] THEN [[]] ELSE sets END AS names
UNWIND CASE WHEN names = [] THEN [null] ELSE names END AS name
WITH label, nodes, name ORDER BY name
WITH label, nodes, collect(DISTINCT name) AS names
RETURN label, nodes, substring(reduce(text = '', name IN names | text + ', ' + name), 2) AS properties
ORDER BY label
