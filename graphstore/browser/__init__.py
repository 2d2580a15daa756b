"""Neo4j Browser on this store: its address, a style sheet, and the saved queries as files that it imports."""
