"""The corpus map: extract, resolve, update."""
