// Which labels each relationship type joins, and how often.
// Parameters: none
// Columns:
//   pattern: STRING, start label, type and end label as Cypher draws them
//   relationships: INTEGER, how many there are
MATCH (a)-[r]->(b)
WITH labels(a) AS starts, type(r) AS name, labels(b) AS ends, count(*) AS relationships
RETURN
  '(' + reduce(text = '', label IN starts | text + ':' + label) + ')-[:' + name
  + ']->(' + reduce(text = '', label IN ends | text + ':' + label) + ')' AS pattern,
  relationships
ORDER BY name, pattern
