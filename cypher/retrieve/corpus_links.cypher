// Links of the documents that were written since a graph_version to entities, for the search snapshot, as parallel lists, those of
// many documents a row.
// Parameters:
//   $block: INTEGER, documents a row
//   $since: INTEGER, graph_version of the state that is known, -1 if none is
// Columns:
//   documents: LIST<STRING>, ids
//   entities: LIST<STRING>, ids
//   weights: LIST<FLOAT>
//   own: LIST<BOOLEAN>, whether the document's title names the entity
//   names: LIST<LIST<STRING>>, how the document writes it
MATCH (d:Document)
WHERE coalesce(d.changed, $since + 1) > $since
WITH d ORDER BY d.id
WITH collect(d) AS every
UNWIND range(0, size(every) - 1, $block) AS start
WITH every[start..start + $block] AS block, start
CALL (block) {
  UNWIND block AS d
  MATCH (d)-[m:MENTIONS]->(e:Entity)
  RETURN collect(d.id) AS documents,
         collect(e.id) AS entities,
         collect(coalesce(m.weight, 1.0)) AS weights,
         collect(coalesce(m.own, false)) AS own,
         collect(coalesce(m.names, [])) AS names
}
RETURN documents, entities, weights, own, names
ORDER BY start
