"""Results as HTML, for notebooks: the table and the sentences, in whatever fonts and colours the page has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from identikit.result._result import Code, Result
from identikit.result._text import HEADERS, RIGHT_ALIGNED, rows, sentences

_COLOURS = {Code.OK: "#2e7d32"}
_NOT_OK = "#c0392b"


def result_html(result: Result) -> str:
    """The estimates as a table, with the status above and what it means below."""
    code = result.status.code
    badge = (
        f'<span style="background:{_COLOURS.get(code, _NOT_OK)};color:white;border-radius:3px;padding:1px 6px;'
        f'font-size:85%">{escape(code.value.replace("_", " "))}</span>'
    )
    above = f"<b>{escape(result.model)}</b> by {escape(result.method)} {badge}"
    table = html_table(HEADERS, rows(result), RIGHT_ALIGNED)
    words = [f'<p style="margin:0.4em 0">{text}</p>' for text in (above, escape(sentences(result)))]
    return f'<div style="max-width:60em">{words[0]}{table}{words[1]}</div>'


def html_table(headers: Sequence[str], cells: Sequence[Sequence[str]], right: Iterable[int] = ()) -> str:
    """A table without the columns that hold nothing; numbers stand flush right."""
    flush = set(right)
    kept = [i for i in range(len(headers)) if any(row[i] for row in cells)]

    def line(tag: str, row: Sequence[str]) -> str:
        style = {i: f"text-align:{'right' if i in flush else 'left'};padding:2px 8px" for i in kept}
        made = "".join(f'<{tag} style="{style[i]}">{escape(row[i])}</{tag}>' for i in kept)
        return f"<tr>{made}</tr>"

    head, body = line("th", headers), "".join(line("td", row) for row in cells)
    return f'<table style="font-variant-numeric:tabular-nums"><thead>{head}</thead><tbody>{body}</tbody></table>'
