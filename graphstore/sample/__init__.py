"""A fictional company's tools, task logs and documents, shipped for the demo."""
