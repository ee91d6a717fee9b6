"""HTML whose texts are escaped unless they are HTML already: what a template engine with autoescape does, in a page.

Every string that is not `Html` is text, wherever it comes from: a model's name, a column header, a note. There is no
way to forget it.
"""

from __future__ import annotations

from html import escape

VOID = ("img", "meta", "link", "br")  # elements without content


class Html(str):
    """Markup; any other string is text."""

    __slots__ = ()


def element(tag: str, *content: str, **attributes: str | bool | None) -> Html:
    """<tag attributes>content</tag>; `class_` for class, `data_x` for data-x; False or None leaves an attribute out."""
    named = [(name.rstrip("_").replace("_", "-"), value) for name, value in attributes.items()]
    written = "".join(
        f" {name}" if value is True else f' {name}="{escape(str(value))}"'
        for name, value in named
        if value is not None and value is not False
    )
    if tag in VOID:
        return Html(f"<{tag}{written}>")
    return Html(f"<{tag}{written}>{joined(*content)}</{tag}>")


def joined(*content: str) -> Html:
    """All of it, texts escaped."""
    return Html("".join(item if isinstance(item, Html) else escape(item) for item in content))
