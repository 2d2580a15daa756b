"""The Model Context Protocol: navigation as tools for any agent."""
