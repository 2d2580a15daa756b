// Takes away entities that no document mentions any more.
// Parameters:
//   $ids: LIST<STRING>
// Columns: none
UNWIND $ids AS id
MATCH (e:Entity {id: id})
DETACH DELETE e
