"""The tool graph: mining, history, semantic neighbours, fusion (pure); `update` and `derive` store."""
