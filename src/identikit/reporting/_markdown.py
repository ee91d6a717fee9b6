"""A report as Markdown: words, tables, equations; pictures by their captions."""

from __future__ import annotations

import re

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
    Table,
)
from identikit.reporting._renderer import Renderer, headline, remedy_of
from identikit.result import Cells

_SPECIAL = re.compile(r"([\\`*_\[\]|$#~])")


def markdown_text(text: str) -> str:
    """Text that Markdown shows as it is: no emphasis, link, table, mathematics or HTML in it."""
    plain = " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _SPECIAL.sub(r"\\\1", plain)


def markdown_table(cells: Cells) -> str:
    """A table with pipes, numbers flush right, without the columns that hold nothing."""
    flush = set(cells.right)
    head = [markdown_text(cells.headers[i]) or " " for i in cells.shown]
    rule = ["---:" if i in flush else "---" for i in cells.shown]
    rows = [[markdown_text(row[i]) for i in cells.shown] for row in cells.rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, rule, *rows))


class MarkdownRenderer(Renderer):
    """As GitHub, GitLab and Pandoc read it."""

    def whole(self, document: ReportDocument) -> str:
        parts = [f"# {markdown_text(document.title)}", markdown_text(headline(document))]
        for item in document.sections:
            parts += [f"## {markdown_text(item.title)}", *(self.block(block) for block in item.blocks)]
        return "\n\n".join(parts) + "\n"

    def paragraph(self, block: Paragraph) -> str:
        return markdown_text(block.text)

    def bullets(self, block: Bullets) -> str:
        return "\n".join(f"- {markdown_text(text)}" for text in block.items)

    def facts(self, block: Facts) -> str:
        return markdown_table(Cells(("", " "), block.rows))

    def table(self, block: Table) -> str:
        caption = f"\n\n{markdown_text(block.caption)}" if block.caption else ""
        return f"{markdown_table(block.cells)}{caption}"

    def picture(self, block: Picture | Drawing) -> str:
        return f"(Picture: {markdown_text(block.caption)})"

    def gallery(self, block: Gallery) -> str:
        return "\n\n".join(self.picture(picture) for picture in block.pictures)

    def listing(self, block: Listing) -> str:
        longest = max((len(run) for run in re.findall("`+", block.text)), default=0)
        fence = "`" * max(3, longest + 1)
        return f"{markdown_text(block.caption)}:\n\n{fence}\n{block.text.rstrip()}\n{fence}"

    def equations(self, block: Equations) -> str:
        return "\n\n".join(f"$$\n{item.latex}\n$$" for item in block.rows)

    def advice(self, block: Advice) -> str:
        lines = []
        for item in block.findings:
            remedy = f" What to do: {markdown_text(remedy_of(item))}" if remedy_of(item) else ""
            lines.append(f"- **{item.severity.value}** {markdown_text(item.text.rstrip('.'))}.{remedy}")
        return "\n".join(lines)
