// Full text of entity names.
// Parameters:
//   $analyzer: STRING, name of a Lucene analyzer known to the server
// Columns: none
CREATE FULLTEXT INDEX fulltext_entity IF NOT EXISTS FOR (n:Entity) ON EACH [n.name, n.aliases]
OPTIONS {indexConfig: {`fulltext.analyzer`: $analyzer}}
