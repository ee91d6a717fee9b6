"""A report as LaTeX: words, tables, equations; pictures by their captions."""

from __future__ import annotations

import re
import unicodedata

from identikit.reporting._document import (
    Advice,
    Bullets,
    Drawing,
    Equations,
    Facts,
    Gallery,
    Listing,
    Paragraph,
    Picture,
    ReportDocument,
    Section,
    Table,
)
from identikit.reporting._latex_letters import declarations, letter
from identikit.reporting._markdown import markdown_table
from identikit.reporting._renderer import Renderer, headline, remedy_of
from identikit.result import Cells

_PREAMBLE = r"""\documentclass{article}
\usepackage[utf8]{inputenc}
\usepackage[T1]{fontenc}
\usepackage{amsmath,booktabs,tabularx}
\usepackage[margin=2.5cm]{geometry}
"""
_HYPHENS = re.compile("-(?=-)")  # two would become a dash
_LISTING_ENDS = r"\end{verbatim}"


def latex_text(text: str) -> str:
    """Text in which LaTeX sees no command."""
    one_line = unicodedata.normalize("NFC", " ".join(text.split()))
    return _HYPHENS.sub("-{}", "".join(map(letter, one_line)))


def latex_table(cells: Cells) -> str:
    """A tabular with booktabs' rules, without the columns that hold nothing."""
    flush = set(cells.right)
    places = "".join("r" if i in flush else "l" for i in cells.shown)

    def line(row: tuple[str, ...]) -> str:
        return " & ".join(latex_text(row[i]) for i in cells.shown) + r" \\"

    body = [line(row) for row in cells.rows]
    parts = [rf"\begin{{tabular}}{{{places}}}", r"\toprule", line(cells.headers), r"\midrule"]
    return "\n".join([*parts, *body, r"\bottomrule", r"\end{tabular}"])


class LatexRenderer(Renderer):
    """A document that compiles by itself, or whose parts can be taken over."""

    def whole(self, document: ReportDocument) -> str:
        heading = rf"\section*{{{latex_text(document.title)}}}"
        parts = [heading, latex_text(headline(document))]
        for item in document.sections:
            parts += [rf"\subsection*{{{latex_text(item.title)}}}", *(self.block(block) for block in item.blocks)]
        body = "\n\n".join(parts)
        return f"{_PREAMBLE}{declarations(body)}\\begin{{document}}\n{body}\n\n\\end{{document}}\n"

    def paragraph(self, block: Paragraph) -> str:
        return latex_text(block.text)

    def bullets(self, block: Bullets) -> str:
        return _itemised([latex_text(text) for text in block.items])

    def facts(self, block: Facts) -> str:
        rows = [rf"{latex_text(name)} & {latex_text(value)} \\" for name, value in block.rows]
        return "\n".join([r"\begin{tabularx}{\textwidth}{lX}", *rows, r"\end{tabularx}"])

    def table(self, block: Table) -> str:
        table = latex_table(block.cells)
        return f"{table}\n\n{latex_text(block.caption)}" if block.caption else table

    def picture(self, block: Picture | Drawing) -> str:
        return f"(Picture: {latex_text(block.caption)})"

    def gallery(self, block: Gallery) -> str:
        return "\n\n".join(self.picture(picture) for picture in block.pictures)

    def listing(self, block: Listing) -> str:
        if _LISTING_ENDS in block.text:  # nothing may end the listing early
            return f"{latex_text(block.caption)}: {latex_text(block.text)}"
        shown = "".join(one if one in "\n\t" or one.isprintable() else " " for one in block.text.rstrip())
        return f"{latex_text(block.caption)}:\n\\begin{{verbatim}}\n{shown}\n{_LISTING_ENDS}"

    def equations(self, block: Equations) -> str:
        rows = " \\\\\n".join(item.latex.replace(" = ", " &= ", 1) for item in block.rows)
        return f"\\begin{{align*}}\n{rows}\n\\end{{align*}}"

    def advice(self, block: Advice) -> str:
        lines = []
        for item in block.findings:
            remedy = f" What to do: {latex_text(remedy_of(item))}" if remedy_of(item) else ""
            lines.append(rf"\textbf{{{item.severity.value}}} {latex_text(item.text.rstrip('.'))}.{remedy}")
        return _itemised(lines)


def _itemised(lines: list[str]) -> str:
    if not lines:
        return ""
    return "\n".join([r"\begin{itemize}", *(rf"\item {line}" for line in lines), r"\end{itemize}"])


def tables_section(cells: Cells) -> Section:
    """Both, as listings."""
    return Section(
        "Tables to copy",
        (
            Listing("Markdown", markdown_table(cells), folded=True),
            Listing("LaTeX (package booktabs)", latex_table(cells), folded=True),
        ),
    )
