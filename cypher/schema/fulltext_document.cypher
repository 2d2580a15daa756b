// Full text of documents.
// Parameters:
//   $analyzer: STRING, name of a Lucene analyzer known to the server
// Columns: none
CREATE FULLTEXT INDEX fulltext_document IF NOT EXISTS FOR (n:Document) ON EACH [n.title, n.text]
OPTIONS {indexConfig: {`fulltext.analyzer`: $analyzer}}
