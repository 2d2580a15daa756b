"""The embedded Neo4j: lock file, download, process."""
