"""Sparse regression: libraries of terms, the law that the fewest of them make up, and what speaks for each."""
