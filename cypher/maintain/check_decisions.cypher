// Rows of the ledger that cannot be what somebody decided.
// Parameters: none
// Columns:
//   subject: STRING, number in the ledger
//   found: STRING, what does not fit
MATCH (d:Decision)
WITH d, CASE
  WHEN d.number IS NULL OR d.id <> toString(d.number) THEN 'its number is not its id'
  WHEN NOT d.kind IN ['merge', 'split', 'distinct', 'refine'] THEN 'kind ' + coalesce(d.kind, 'missing')
  WHEN d.kind IN ['merge', 'distinct'] AND size(d.subjects) <> 2 THEN toString(size(d.subjects)) + ' entities, not two'
  WHEN d.kind = 'split' AND (size(d.subjects) <> 1 OR (size(d.documents) = 0) = (d.key = '')) THEN
    'splits neither documents nor a name off one entity'
  WHEN d.kind = 'refine' AND (size(d.documents) <> 1 OR d.key = '') THEN 'refines no name of one document'
  WHEN d.by IS NULL OR d.at IS NULL THEN 'nobody decided it'
  WHEN size(d.entities) <> size(d.names) THEN 'ids and names differ in number'
END AS found
WHERE found IS NOT NULL
RETURN d.id AS subject, found ORDER BY subject
