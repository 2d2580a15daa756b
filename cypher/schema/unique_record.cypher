// A record of an authoritative registry is known by the registry's own id.
// Parameters: none
// Columns: none
CREATE CONSTRAINT unique_record IF NOT EXISTS FOR (n:Record) REQUIRE n.id IS UNIQUE
