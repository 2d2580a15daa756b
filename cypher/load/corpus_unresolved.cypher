// Names that are left open, one relationship a name.
// Parameters:
//   $rows: LIST<MAP>, each {document, type, name, statements, reason}
// Columns: none
UNWIND $rows AS row
MATCH (d:Document {id: row.document})
MATCH (t:EntityType {name: row.type})
CREATE (d)-[:UNRESOLVED {name: row.name, statements: row.statements, reason: row.reason}]->(t)
