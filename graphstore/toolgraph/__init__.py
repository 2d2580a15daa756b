"""Pure computation of the tool graph: mining, history, semantic neighbours, fusion."""
