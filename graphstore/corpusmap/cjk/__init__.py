"""Names in Chinese, Japanese and Korean, by script: no English is presumed, no model needed."""
