// Relationships of a backup.
// Parameters:
//   $rows: LIST<MAP>, each {type, source, target, properties}; source and target are the server's ids
// Columns: none
UNWIND $rows AS row
MATCH (a) WHERE elementId(a) = row.source
MATCH (b) WHERE elementId(b) = row.target
CREATE (a)-[r:$(row.type)]->(b)
SET r = row.properties
