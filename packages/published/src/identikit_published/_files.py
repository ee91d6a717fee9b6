"""What a reproduction leaves behind: JSON, CSV, a picture, and an index of all that a folder holds."""

from __future__ import annotations

import csv
import html
import io
from pathlib import Path

from identikit import __version__, plot
from identikit.atomic_write import atomic_write
from identikit.errors import IdentikitError
from identikit.result import Reproduction, figure_cells, figure_remarks
from identikit_published._registry import ITEMS

COLUMNS = ("case", "quantity", "unit", "printed", "as_printed", "obtained", "bound", "note")
INDEX = "index.html"


def write(item: Reproduction, folder: Path) -> None:
    """KEY.csv, KEY.png (where there is something to draw) and last, since it says that all is there, KEY.json."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(COLUMNS)
    for figure in item.figures:
        table.writerow(["" if (value := getattr(figure, name)) is None else value for name in COLUMNS])
    atomic_write(folder / f"{item.key}.csv", text.getvalue().encode())
    if item.panels:
        plot(item, folder / f"{item.key}.png")
    item.save(folder / f"{item.key}.json")


def kept(folder: Path, key: str, quick: bool) -> Reproduction | None:
    """What the folder has of an item, from this version and this scale; None = it is to be done."""
    item = _read(folder, key)
    if item is None or item.quick != quick or item.provenance.get("identikit") != __version__:
        return None
    return item


def _read(folder: Path, key: str) -> Reproduction | None:
    """What the folder has of an item; None also of a file that is damaged, or holds something else."""
    path = folder / f"{key}.json"
    if not path.exists():
        return None
    try:
        item = Reproduction.load(path)
    except IdentikitError:
        return None
    return item if item.key == key else None


def write_index(folder: Path) -> None:
    """One page with every table and picture that the folder holds, in the order of the documents."""
    found = [item for key in ITEMS if (item := _read(folder, key)) is not None]
    blocks = "\n".join(_block(item, folder) for item in found)
    contents = "\n".join(
        f'<li><a href="#{html.escape(item.key)}">{html.escape(f"{item.source}, {item.where}: {item.title}")}</a></li>'
        for item in found
    )
    atomic_write(folder / INDEX, _PAGE.format(contents=contents, blocks=blocks).encode())


def _block(item: Reproduction, folder: Path) -> str:
    table, key = figure_cells(item), html.escape(item.key)
    cells = "\n".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in table.rows)
    head = "".join(f"<th>{name}</th>" for name in table.headers)
    notes = [*item.notes, *figure_remarks(item)]
    over = (f"{item.seeds} noise draws" if item.seeds else "no noise is drawn") + (", quick" if item.quick else "")
    settings = "; ".join(f"{name}: {value}" for name, value in item.settings.items())
    parts = [f'<section id="{key}"><h2>{html.escape(f"{item.source}, {item.where}")}</h2>',
             f"<p>{html.escape(item.title)}</p>",
             f"<table><thead><tr>{head}</tr></thead><tbody>{cells}</tbody></table>" if item.figures else "",
             *(f"<p>{html.escape(note)}</p>" for note in notes),
             f'<img src="{key}.png" alt="{html.escape(item.title)}">' if (folder / f"{item.key}.png").exists() else "",
             f'<p class="small">{html.escape(f"{over}. {settings}")} '
             f'<a href="{key}.json">JSON</a> <a href="{key}.csv">CSV</a></p></section>']  # fmt: skip
    return "\n".join(part for part in parts if part)


_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Published and true</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; color: #27313b; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }}
table {{ border-collapse: collapse; display: block; overflow-x: auto; }}
th, td {{ padding: .2rem .7rem; border-bottom: 1px solid #d5dce3; text-align: right; }}
th:first-child, td:first-child, th:nth-child(2), td:nth-child(2) {{ text-align: left; }}
img {{ max-width: 100%; }} .small {{ font-size: .85rem; color: #5b6875; }}
</style></head><body>
<h1>Published and true</h1>
<p>Every table and figure: what is printed, what the procedure gives when it is done as printed, what the best method
here gives, and the Cramer-Rao bound.</p>
<ul>
{contents}
</ul>
{blocks}
</body></html>
"""
