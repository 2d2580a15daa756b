// What answers: run once when a connection is opened.
// Parameters: none
// Columns:
//   versions: LIST<STRING>, of the database kernel
CALL dbms.components() YIELD name, versions
WITH name, versions WHERE name = 'Neo4j Kernel'
RETURN versions
