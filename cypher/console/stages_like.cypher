// Solved stages like a request, by its words, each with its shortest successful path.
// Parameters:
//   $request: STRING, what is asked, such as 'approve that document access request'
//   $limit: INTEGER, stages, such as 5
// Columns:
//   stage: NODE, the stage
//   score: FLOAT, how well the words fit
//   ways: LIST<PATH>, from the stage over its shortest path to each tool of it
// plain text stays plain text: what the full-text index would read as a sign is taken out
WITH reduce(text = toLower($request), sign IN split('+-&|!(){}[]^"~*?:\\/', '') | replace(text, sign, ' ')) + ' _' AS words
CALL db.index.fulltext.queryNodes('fulltext_stage', words) YIELD node AS stage, score
WHERE EXISTS { (stage)-[:SOLVED_BY]->() }
WITH stage, score
ORDER BY score DESC, stage.id
LIMIT $limit
MATCH way = (stage)-[:SOLVED_BY]->(:ToolPath {shortest: true})-[step:STEP]->(:Tool)
WITH stage, score, way, step.index AS index
ORDER BY index
RETURN stage, score, collect(way) AS ways
ORDER BY score DESC, stage.id
