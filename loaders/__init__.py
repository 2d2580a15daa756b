"""Files into typed records, streaming; imports graphstore, never neo4j."""
