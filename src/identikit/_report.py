"""The front door for reports: whatever was answered, as one file to read, print or send."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from identikit.atomic_write import atomic_write, is_special, same_file
from identikit.errors import OptionError, did_you_mean
from identikit.reporting import HtmlRenderer, LatexRenderer, MarkdownRenderer, Renderer, document_of
from identikit.result import load_saved

FORMATS = ("html", "md", "tex")
_ENDINGS = {".html": "html", ".htm": "html", ".md": "md", ".tex": "tex"}


def report(
    what: Any,
    path: str | Path | None = None,
    *,
    format: str | None = None,
    interactive: bool = True,
    command: str = "",
) -> str:
    """Write a report of what a front door answered, or of a saved document; returns the text.

    Arguments:
        what: a Result, a Prediction, any report, a plan, a Reproduction, or the path of a saved one.
        path: file to write, whole or not at all; None = only return the text.
        format: "html" (one file that needs no network), "md" or "tex" (words, tables and equations); None = by the
            ending of `path`; "html" where it has none.
        interactive: pictures that can be zoomed into, beside still ones; adds 2 MB, and needs the extra `report`.
        command: the command line that repeats the work, if there is one.
    """
    chosen = format or _format_of(path)
    if chosen not in FORMATS:
        raise OptionError(f"there is no report in the format {chosen!r}.{did_you_mean(chosen, FORMATS)}")
    if path is not None and isinstance(what, str | Path) and same_file(path, what):
        raise OptionError(f"{path}: is the same file as the one that is read: name another file to write to")
    answer = load_saved(what) if isinstance(what, str | Path) else what
    renderers: dict[str, Renderer] = {
        "html": HtmlRenderer(interactive=interactive),
        "md": MarkdownRenderer(),
        "tex": LatexRenderer(),
    }
    text = renderers[chosen].whole(document_of(answer, command))
    if path is not None:
        atomic_write(path, text.encode())
    return text


def _format_of(path: str | Path | None) -> str:
    """The format that a file's ending asks for."""
    ending = "" if path is None or is_special(Path(path)) else Path(path).suffix.lower()
    if ending and ending not in _ENDINGS:
        known = ", ".join(_ENDINGS)
        raise OptionError(f"{path}: no report has the ending '{ending}': expected one of {known}, or name the format")
    return _ENDINGS.get(ending, "html")
