"""What was done, so that it can be done again: data, settings, versions, and the call that repeats it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from identikit.reporting._document import Block, Facts, Listing, Paragraph, Section, Tone

WHOLE = ("fit", "damping", "compare")  # front doors of which all that was asked is saved
_LATER = ("model", "data")  # of a question: these come first in a call


def done_section(
    *,
    door: str,
    provenance: Mapping[str, Any],
    seconds: Mapping[str, float],
    question: Mapping[str, Any] | None = None,
    command: str = "",
    more: tuple[tuple[str, str], ...] = (),
) -> Section:
    """Facts, the command line, the Python call, and everything that was set.

    Arguments:
        door: the front door that answered. command: the line that repeats it, from the command line.
        more: further facts, which come first.
    """
    asked = question or {}
    rows = tuple((name, value) for name, value in (*more, *_facts(provenance, seconds, asked)) if value)
    blocks: list[Block] = [Facts(rows)] if rows else []
    if command:
        blocks.append(Listing("The command line that repeats it", command))
    call = python_call(door, asked, provenance.get("asked")) if door in WHOLE else ""
    if call:
        blocks.append(Listing("The same in Python", call))
    if asked:
        blocks.append(Listing("The question in full", json.dumps(asked, indent=1, default=str), folded=True))
    settings = {name: provenance[name] for name in ("options", "settings") if provenance.get(name)}
    if settings:
        blocks.append(Listing("Every setting", json.dumps(settings, indent=1, default=str), folded=True))
    if not blocks:
        blocks = [Paragraph("The saved document does not say how it was made.", Tone.SMALL)]
    return Section("What was done", tuple(blocks))


def data_words(question: Mapping[str, Any] | None, provenance: Mapping[str, Any]) -> str:
    """The data by name."""
    data = (question or {}).get("data")
    if isinstance(data, Mapping):
        return f"{', '.join(map(str, data.get('in_memory', ())))} (given in memory)"
    if isinstance(data, list | tuple) and data:
        return ", ".join(map(str, data))
    if isinstance(data, str):
        return data
    records = provenance.get("records")
    return ", ".join(map(str, records)) if isinstance(records, list | tuple) else ""


def python_call(door: str, question: Mapping[str, Any], besides: Any = None) -> str:
    """The call of the front door that asks the same; empty where the data were in memory.

    `besides` is what a comparison was told besides its question; without it, its call is not known.
    """
    data = question.get("data")
    if not isinstance(data, str | list | tuple) or not data:
        return ""
    if door == "compare" and not isinstance(besides, Mapping):
        return ""
    files = data[0] if not isinstance(data, str) and len(data) == 1 else data
    model = question.get("model")
    words = [repr(files if isinstance(files, str) else list(files))]
    before = ""
    if isinstance(model, str) and "\n" in model:
        before, words = "# the text of the model stands under Equations, as a file\n", [*words, "model='model.toml'"]
    elif isinstance(model, str):
        words.append(f"model={model!r}")
    elif isinstance(model, Mapping):
        before, words = "# the model was a Python function, which is not saved\n", [*words, "model=..."]
    words += [f"{name}={value!r}" for name, value in question.items() if name not in _LATER]
    words += [f"{name}={value!r}" for name, value in (besides or {}).items() if value not in ({}, None)]
    inside = ",\n    ".join(words)
    return f"import identikit as ik\n\n{before}answer = ik.{door}(\n    {inside},\n)\nprint(answer)"


def _facts(
    provenance: Mapping[str, Any], seconds: Mapping[str, float], question: Mapping[str, Any]
) -> list[tuple[str, str]]:
    get = provenance.get
    channels = get("channels")
    columns = ", ".join(f"{name} from {column}" for name, column in channels.items()) if channels else ""
    total = seconds.get("total")
    return [
        ("data", data_words(question, provenance)),
        ("SHA-256 of the data", str(get("data_sha256") or "")),
        ("measured values", str(get("samples") or "")),
        ("columns", columns),
        ("seed", "" if get("seed") is None else str(get("seed"))),
        ("identikit", str(get("identikit") or "")),
        ("time taken", "" if total is None else f"{total:.3g} s"),
    ]
