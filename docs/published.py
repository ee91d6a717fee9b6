"""Write docs/published: what is printed in papers beside what is true, from what `identikit reproduce` saved.

    identikit reproduce all --folder reproduction        (half an hour; make published does both)
    python docs/published.py reproduction

One page for each document and an index. Pages of documents of which the folder holds nothing are removed.
"""

from __future__ import annotations

import html
import re
import sys
from collections.abc import Collection, Sequence
from pathlib import Path

from PIL import Image

from identikit.result import Reproduction, figure_cells, figure_remarks

TARGET = Path(__file__).with_name("published")
INDEX = "README.md"
WIDTH = 1000  # pixels of a picture: what a page shows
COLOURS = 48

INTRODUCTION = """# Published and obtained

Tables and figures of the documents that identikit's methods come from, done again. *Printed* is what the document has;
*as printed, here* is what its procedure gives when it is done as described; *best here* is the best method of identikit
on the same record; *bound* is the Cramér-Rao bound in the same unit, below which no unbiased method can come. `-`
stands where there is none.

These pages are made from saved results, by `make published`. One item alone: `identikit reproduce KEY`, a list of all:
`identikit reproduce --list`; both come with `pip install identikit-published`.
"""


def pages(items: Sequence[Reproduction], drawn: Collection[str] = ()) -> dict[str, str]:
    """The text of every page by its file name, the index first; items keep their order, and those `drawn` show it."""
    by_source: dict[str, list[Reproduction]] = {}
    for item in items:
        by_source.setdefault(item.source, []).append(item)
    made = {INDEX: ""}
    lines = [INTRODUCTION]
    for source, found in by_source.items():
        file = f"{slug(source)}.md"
        made[file] = _page(source, found, drawn)
        listed = ", ".join(escaped(item.where) for item in found)
        lines.append(f"- [{escaped(_titled(source))}]({file}): {listed}.")
    made[INDEX] = "\n".join(lines) + "\n"
    return made


def slug(source: str) -> str:
    """A file name for a document: "the Galerkin paper" is galerkin-paper."""
    words = re.sub(r"[^a-z0-9]+", "-", source.lower().removeprefix("the ")).strip("-")
    return words or "document"


def escaped(text: object) -> str:
    """Any text as Markdown that shows just this text: no markup, no HTML, no further table cells."""
    plain = html.escape(" ".join(str(text).split()), quote=False)
    marked = re.sub(r"([\\`*_{}\[\]()#+!])", r"\\\1", plain)
    return re.sub(r"[|~$]", lambda found: f"&#{ord(found[0])};", marked)  # for which Markdown has no backslash


def _page(source: str, items: Sequence[Reproduction], drawn: Collection[str]) -> str:
    reference = items[0].provenance.get("reference", "")
    parts = [f"# {escaped(_titled(source))}", escaped(reference)] if reference else [f"# {escaped(_titled(source))}"]
    for item in items:
        parts += _section(item, item.key in drawn)
    return "\n\n".join(parts) + "\n"


def _section(item: Reproduction, drawn: bool) -> list[str]:
    parts = [f"## {escaped(f'{item.where}: {item.title}')}"]
    if item.figures:
        table = figure_cells(item)
        rule = "|---" * 2 + "|--:" * (len(table.headers) - 2) + "|"
        rows = [f"| {' | '.join(escaped(cell) for cell in row)} |" for row in table.rows]
        parts.append("\n".join([f"| {' | '.join(table.headers)} |", rule, *rows]))
    parts += [escaped(note) for note in item.notes]
    if drawn:
        parts.append(f"![{escaped(item.title)}]({slug(item.key)}.png)")
    remarks = figure_remarks(item)
    if remarks:
        parts.append("\n".join(f"- {escaped(remark)}" for remark in remarks))
    over = f"Over {item.seeds} noise draws" if item.seeds else "No noise is drawn"
    chosen = "; ".join(f"{name}: {value}" for name, value in item.settings.items())
    quick = ", a quick run with fewer draws and shorter records" if item.quick else ""
    parts.append(
        f"{over}{quick}. {escaped(chosen)}{'. ' if chosen else ''}Again: `identikit reproduce {slug(item.key)}`."
    )
    return parts


def _titled(source: str) -> str:
    return source[:1].upper() + source[1:]


def saved_in(folder: Path) -> list[Reproduction]:
    """What the folder holds, in the order of the registry, then whatever else there is."""
    from identikit_published import ITEMS

    known = [path for key in ITEMS if (path := folder / f"{key}.json").exists()]
    others = sorted(path for path in folder.glob("*.json") if path not in known)
    return [Reproduction.load(path) for path in (*known, *others)]


def write(items: Sequence[Reproduction], target: Path, folder: Path) -> None:
    """The pages and the pictures of `folder` that they show, and nothing else."""
    target.mkdir(exist_ok=True)
    pictures = {item.key: path for item in items if (path := folder / f"{item.key}.png").exists()}
    made = pages(items, pictures)
    for old in (*target.glob("*.md"), *target.glob("*.png")):
        if old.name not in made:
            old.unlink()
    for key, path in pictures.items():
        _small(path).save(target / f"{slug(key)}.png", optimize=True)
    for file, text in made.items():
        (target / file).write_text(text, encoding="utf-8")


def _small(path: Path) -> Image.Image:
    """A picture small enough to be kept with the text: a drawing of lines needs few colours."""
    with Image.open(path) as file:
        picture = file.convert("RGB")
    height = round(picture.height * WIDTH / picture.width)
    return picture.resize((WIDTH, height), Image.Resampling.LANCZOS).quantize(COLOURS)


def main() -> int:
    if len(sys.argv) != 2 or not (folder := Path(sys.argv[1])).is_dir():
        print("expected the folder that `identikit reproduce` wrote: python docs/published.py reproduction")
        return 2
    if not (items := saved_in(folder)):
        print(f"{folder} holds no results: run `identikit reproduce all --folder {folder}` first")
        return 2
    write(items, TARGET, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
