// What needs what.
// Parameters: none
// Columns:
//   source: STRING, tool id
//   target: STRING, id of the tool that it needs
//   kind: STRING, tool, parameter, tool-indirect or parameter-indirect as declared; produces if seen from the schemas
//   parameter: STRING, the argument that the needed tool provides, or null
MATCH (a:Tool)-[r:REQUIRES]->(b:Tool)
RETURN a.id AS source, b.id AS target, r.kind AS kind, r.parameter AS parameter
ORDER BY source, target
