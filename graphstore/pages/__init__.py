"""Entity pages: build, render, export."""
