"""Sparse regression: libraries of terms, the law that the fewest of them make up, and what speaks for each."""

from identikit.method.sparse._order import first_order_suffices as first_order_suffices
