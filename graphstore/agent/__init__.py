"""An agent that answers questions by navigating the corpus."""
