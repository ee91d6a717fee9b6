"""The parameters as tables for other documents: Markdown and LaTeX, to be copied."""

from __future__ import annotations

from identikit.reporting._document import Listing, Section
from identikit.reporting._latex import latex_table
from identikit.reporting._markdown import markdown_table
from identikit.result import Cells


def tables_section(cells: Cells) -> Section:
    """Both, as listings."""
    return Section(
        "Tables to copy",
        (
            Listing("Markdown", markdown_table(cells), folded=True),
            Listing("LaTeX (package booktabs)", latex_table(cells), folded=True),
        ),
    )
