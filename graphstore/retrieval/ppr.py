"""Personalised PageRank in process: probabilities of a walk that returns to its seeds.

Both classes solve x = d P' x + (1 − d) r: P is the row-normalised adjacency, r the restart distribution and d the
probability of FOLLOWING an edge; from a node without edges the walk restarts. Scores sum to 1 and are not negative.

Source: Page et al. (1999), section 6.
"""

from graphstore.retrieval.bipartite import BipartiteDiffusion
from graphstore.retrieval.directed import Diffusion
from graphstore.retrieval.restart import top

__all__ = ["BipartiteDiffusion", "Diffusion", "top"]
