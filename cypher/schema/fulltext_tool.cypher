// Full text of tools.
// Parameters:
//   $analyzer: STRING, name of a Lucene analyzer known to the server
// Columns: none
CREATE FULLTEXT INDEX fulltext_tool IF NOT EXISTS FOR (n:Tool) ON EACH [n.name, n.description]
OPTIONS {indexConfig: {`fulltext.analyzer`: $analyzer}}
