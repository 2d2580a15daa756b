// All that a tool is joined to, a row a relationship.
// Parameters:
//   $id: STRING, tool id
// Columns:
//   type: STRING, NEXT, SIMILAR or REQUIRES
//   outgoing: BOOLEAN, whether it leads away from the tool
//   itself: BOOLEAN, whether it leads back to the tool
//   id: STRING, id of the other tool
//   name: STRING, its name
//   domain: STRING, or null
//   description: STRING, or null
//   count: INTEGER, passed stage runs with this transition, or null
//   weight: FLOAT, sum of their paths' efficiency, or null
//   score: FLOAT, cosine of similar tools, or null
//   kind: STRING, why it is required, or null
//   parameter: STRING, the argument that it is required for, or null
MATCH (t:Tool {id: $id})-[r:NEXT|SIMILAR|REQUIRES]-(other:Tool)
RETURN type(r) AS type, startNode(r) = t AS outgoing, other = t AS itself, other.id AS id,
       other.name AS name, other.domain AS domain, other.description AS description, r.count AS count,
       r.weight AS weight, r.score AS score, r.kind AS kind,
       r.parameter AS parameter
ORDER BY id, type, outgoing
