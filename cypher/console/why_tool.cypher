// Why a tool is a result for a request: requests like it that the tool helped to solve, tools that the words of the
// request find and that this tool followed, preceded or resembles, and the tool's own text.
// Parameters:
//   $request: STRING, what is asked, such as 'approve that document access request'
//   $tool: STRING, tool id, such as 'list_document_permissions'
//   $limit: INTEGER, reasons of each kind, such as 5
// Columns:
//   reason: STRING, in words
//   way: PATH, from what the words find to the tool
//   score: FLOAT, how well the words fit
// plain text stays plain text: what the full-text index would read as a sign is taken out
WITH reduce(text = toLower($request), sign IN split('+-&|!(){}[]^"~*?:\\/', '') | replace(text, sign, ' ')) + ' _' AS words
CALL (words) {
  CALL db.index.fulltext.queryNodes('fulltext_tool', words) YIELD node, score
  WHERE node.id = $tool
  MATCH way = (node)
  RETURN 'its own text fits' AS reason, way, score
  UNION ALL
  CALL db.index.fulltext.queryNodes('fulltext_stage', words, {limit: 50}) YIELD node, score
  MATCH way = (node)-[:SOLVED_BY]->(:ToolPath {shortest: true})-[:STEP]->(:Tool {id: $tool})
  RETURN 'it helped to solve: ' + node.request AS reason, way, score
  ORDER BY score DESC, node.id
  LIMIT $limit
  UNION ALL
  CALL db.index.fulltext.queryNodes('fulltext_tool', words, {limit: 5}) YIELD node, score
  MATCH way = (node)-[link:NEXT|REQUIRES|SIMILAR]-(tool:Tool {id: $tool})
  WHERE node <> tool
  RETURN CASE type(link)
           WHEN 'SIMILAR' THEN 'it resembles ' + node.id
           WHEN 'REQUIRES' THEN 'it goes with ' + node.id
           ELSE CASE startNode(link) WHEN node THEN 'it followed ' ELSE 'it came before ' END + node.id
         END AS reason, way, score
  ORDER BY score DESC, reason
  LIMIT $limit
}
RETURN reason, way, score
ORDER BY score DESC, reason
