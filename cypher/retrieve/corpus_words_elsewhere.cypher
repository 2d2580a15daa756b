// Words that stand in other documents than these, be it inside longer words.
// Parameters:
//   $words: LIST<STRING>, in small letters
//   $ids: LIST<STRING>, documents that are passed over
// Columns:
//   word: STRING, one that another document has
UNWIND $words AS word
WITH word
WHERE EXISTS {
  MATCH (d:Document)
  WHERE NOT d.id IN $ids
    AND (toLower(d.text) CONTAINS word OR toLower(d.title) CONTAINS word OR toLower(d.path) CONTAINS word
      OR toLower(d.metadata) CONTAINS word)
}
RETURN word
