// Gives documents of an older schema what file systems may take their paths for.
// Parameters: none
// Columns: none
MATCH (d:Document) WHERE d.alike IS NULL
SET d.alike = normalize(toLower(d.path), NFKD)
