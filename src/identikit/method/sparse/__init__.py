"""Sparse regression: libraries of terms, the law that the fewest of them make up, and what speaks for each."""

from identikit.method.sparse._found_law import FoundLaw as FoundLaw
from identikit.method.sparse._law_report import no_law as no_law
from identikit.method.sparse._library import Library as Library
from identikit.method.sparse._selection import first_order_suffices as first_order_suffices
