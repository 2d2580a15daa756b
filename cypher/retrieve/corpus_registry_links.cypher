// Stored decisions, to be compared with what they should be.
// Parameters: none
// Columns:
//   document: STRING, id
//   links: LIST<LIST>, each [entity, confidence, decision, reason, runner_up, names, own, decided_by]
//   opened: LIST<LIST>, each [name, reason, type]
MATCH (d:Document)
RETURN d.id AS document,
       COLLECT {
         MATCH (d)-[m:MENTIONS]->(e:Entity)
         RETURN [e.id, m.confidence, m.decision, m.reason, m.runner_up, m.names, m.own, m.decided_by]
       } AS links,
       COLLECT { MATCH (d)-[u:UNRESOLVED]->(t:EntityType) RETURN [u.name, u.reason, t.name] } AS opened
