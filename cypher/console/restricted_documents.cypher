// Documents that not everybody may see, with the entities that nobody else learns of: no open document names them.
// Parameters:
//   $limit: INTEGER, documents, such as 50
// Columns:
//   document: NODE, the document
//   readers: LIST<STRING>, principals and groups that may see it
//   hidden: LIST<PATH>, to entities that only restricted documents mention
MATCH (document:Document)
WHERE size(document.acl) > 0
RETURN document, document.acl AS readers,
       [way = (document)-[:MENTIONS]->(e:Entity)
        WHERE NOT EXISTS { (e)<-[:MENTIONS]-(open:Document) WHERE size(coalesce(open.acl, [])) = 0 } | way] AS hidden
ORDER BY document.id
LIMIT $limit
