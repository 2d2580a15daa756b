// Full text of past requests.
// Parameters:
//   $analyzer: STRING, name of a Lucene analyzer known to the server
// Columns: none
CREATE FULLTEXT INDEX fulltext_stage IF NOT EXISTS FOR (n:Stage) ON EACH [n.request]
OPTIONS {indexConfig: {`fulltext.analyzer`: $analyzer}}
