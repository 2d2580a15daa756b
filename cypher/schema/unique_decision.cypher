// A decision of a person is known by its number in the ledger.
// Parameters: none
// Columns: none
CREATE CONSTRAINT unique_decision IF NOT EXISTS FOR (n:Decision) REQUIRE n.id IS UNIQUE
