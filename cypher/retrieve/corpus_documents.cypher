// Documents for the search snapshot that were written since a graph_version, many a row, in the order of their ids.
// Parameters:
//   $block: INTEGER, documents a row
//   $since: INTEGER, graph_version of the state that is known, -1 if none is
// Columns:
//   ids: LIST<STRING>
//   paths: LIST<STRING>
//   titles: LIST<STRING>
//   texts: LIST<STRING>
//   acl: LIST<LIST<STRING>>, who may see each; empty means everybody
//   dates: LIST<STRING>, when each was changed, else made; null where nothing says
//   known: LIST<STRING>, the day from which each was known, or null
MATCH (d:Document)
WHERE coalesce(d.changed, $since + 1) > $since
WITH d ORDER BY d.id
WITH collect(d) AS every
UNWIND range(0, size(every) - 1, $block) AS start
WITH every[start..start + $block] AS block, start
RETURN [d IN block | d.id] AS ids,
       [d IN block | d.path] AS paths,
       [d IN block | coalesce(d.title, '')] AS titles,
       [d IN block | coalesce(d.text, '')] AS texts,
       [d IN block | coalesce(d.acl, [])] AS acl,
       [d IN block | coalesce(d.modified, d.created)] AS dates,
       [d IN block | left(coalesce(d.modified, d.created, d.loaded), 10)] AS known
ORDER BY start
