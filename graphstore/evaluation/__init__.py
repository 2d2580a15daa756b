"""Metrics on held-out requests and questions."""
