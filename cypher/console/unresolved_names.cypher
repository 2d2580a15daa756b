// Names that were left open rather than linked by force, those first that occur in most documents.
// Parameters:
//   $limit: INTEGER, names in documents, such as 50
// Columns:
//   name: STRING, as written
//   reason: STRING, why it was left open
//   statements: LIST<STRING>, the sentences that hold it
//   way: PATH, from document to the type that the name has
MATCH way = (document:Document)-[open:UNRESOLVED]->(:EntityType)
WITH open.name AS name, collect({way: way, open: open, document: document.id}) AS places
UNWIND places AS place
RETURN name, place.open.reason AS reason, place.open.statements AS statements, place.way AS way
ORDER BY size(places) DESC, name, place.document
LIMIT $limit
