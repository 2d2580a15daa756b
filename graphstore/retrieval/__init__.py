"""Seed, diffuse, rank."""
