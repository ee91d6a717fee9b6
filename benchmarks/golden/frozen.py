"""What is frozen in the repository: cells, answers, their scatter over the arithmetics, and why they were frozen.

frozen/cells.json      one line for each cell: status, finding codes, estimates
frozen/words/          what every cell prints, numbers cut out, a file for each system
frozen/answers/        every other answer: document, texts, panels, a file for each
frozen/scatter.json    one line for each cell and answer: how far the arithmetics are from the native one
frozen/reasons.md      every freezing, with its reason and what it changed
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from golden.cells import is_cell
from golden.outcomes import Outcome
from golden.shape import shape_of
from golden.shown import loaded
from golden.template import template_of

FOLDER = Path(__file__).with_name("frozen")
HEADING = "=== "  # of a cell in a file of words
ERROR = "error"  # the status of what raised one


def forms_of(outcome: Outcome) -> dict[str, dict[str, Any]]:
    """What is kept of an outcome by name: of a cell status, codes, estimates and words; of an answer everything.

    A cell that is kept whole has both, the second as `system/method_whole`.
    """
    name, forms = outcome.name, {}
    if outcome.error:
        return {name: {"status": ERROR, "codes": [], "words": outcome.error}}
    head = {"status": status_of(outcome.document), "codes": codes_of(outcome.document)}
    if is_cell(name):
        forms[name] = {**head, "parameters": _estimates(outcome.document), "words": _printed(outcome.document)}
    if outcome.texts is not None:
        texts = {what: text.splitlines() for what, text in outcome.texts.items()}
        whole = {**head, "document": shape_of(outcome.document), "texts": texts, "panels": shape_of(outcome.panels)}
        forms[f"{name}_whole" if is_cell(name) else name] = whole
    return forms


def status_of(document: Any) -> str:
    """How it ended; empty for what has no status."""
    status = document.get("status") if isinstance(document, Mapping) else None
    return str(status["code"]) if isinstance(status, Mapping) else ""


def codes_of(document: Any) -> list[str]:
    """The codes of its findings, in their order."""
    findings = document.get("findings") if isinstance(document, Mapping) else None
    return [item["code"] for item in findings or ()]


def _estimates(document: Mapping[str, Any]) -> dict[str, Any]:
    kept = ("value", "std", "identifiable")
    free = {name: item for name, item in document["parameters"].items() if item["role"] == "free"}
    return {name: shape_of({key: item[key] for key in kept}) for name, item in free.items()}


def _printed(document: Any) -> str:
    return template_of(str(loaded(document))).words


def read_frozen() -> dict[str, dict[str, Any]]:
    """Every frozen form by name; none where nothing was frozen yet."""
    cells = _read(FOLDER / "cells.json")
    for file in sorted((FOLDER / "words").glob("*.txt")):
        for part in file.read_text(encoding="utf-8").split(f"\n{HEADING}")[1:]:
            name, _, words = part.partition("\n")
            cells[name]["words"] = words.strip()
    answers = {f"{file.parent.name}/{file.stem}": _read(file) for file in (FOLDER / "answers").rglob("*.json")}
    return {**cells, **answers}


def write_frozen(forms: Mapping[str, Mapping[str, Any]]) -> None:
    """Write all of them, what is no more among them removed."""
    cells = {name: form for name, form in forms.items() if is_cell(name)}
    _write_lines(
        FOLDER / "cells.json",
        {name: {key: item for key, item in form.items() if key != "words"} for name, form in cells.items()},
    )
    words = FOLDER / "words"
    _emptied(words, ".txt")
    for system in sorted({name.split("/")[0] for name in cells}):
        parts = [
            f"\n{HEADING}{name}\n{cells[name]['words']}\n" for name in sorted(cells) if name.startswith(f"{system}/")
        ]
        (words / f"{system}.txt").write_text("".join(parts), encoding="utf-8")
    for folder in (FOLDER / "answers").glob("*"):
        _emptied(folder, ".json")
    for name in forms.keys() - cells.keys():
        system, what = name.split("/")
        file = FOLDER / "answers" / system / f"{what}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(_dumped(forms[name]) + "\n", encoding="utf-8")


def read_scatter() -> dict[str, dict[str, Any]]:
    """Name -> arithmetic -> how far it is from the native one."""
    return _read(FOLDER / "scatter.json")


def write_scatter(scatter: Mapping[str, Any]) -> None:
    _write_lines(FOLDER / "scatter.json", scatter)


def add_reason(lines: Iterable[str]) -> None:
    """Write down why something was frozen, below what stands there."""
    file = FOLDER / "reasons.md"
    before = file.read_text(encoding="utf-8") if file.exists() else "# Why answers were frozen\n"
    file.write_text(before + "\n" + "\n".join(lines) + "\n", encoding="utf-8")


def _read(file: Path) -> dict[str, Any]:
    return dict(json.loads(file.read_text(encoding="utf-8"))) if file.exists() else {}


def _emptied(folder: Path, ending: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for file in folder.glob(f"*{ending}"):
        file.unlink()


def _write_lines(file: Path, table: Mapping[str, Any]) -> None:
    """One line for each entry, sorted, so that a change is seen as a line."""
    file.parent.mkdir(parents=True, exist_ok=True)
    lines = [f"{json.dumps(name)}: {json.dumps(table[name], ensure_ascii=False)}" for name in sorted(table)]
    file.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def _dumped(value: Any, indent: str = "") -> str:
    """JSON with a line for each entry, but lists and tables of plain values in one."""
    plain = json.dumps(value, ensure_ascii=False)
    deeper = indent + " "
    if isinstance(value, Mapping) and value and (len(plain) > 110 or indent == ""):
        rows = [f"{deeper}{json.dumps(key)}: {_dumped(item, deeper)}" for key, item in value.items()]
        return "{\n" + ",\n".join(rows) + f"\n{indent}}}"
    if isinstance(value, list) and len(plain) > 110 and any(isinstance(item, str | list | Mapping) for item in value):
        return "[\n" + ",\n".join(f"{deeper}{_dumped(item, deeper)}" for item in value) + f"\n{indent}]"
    return plain
