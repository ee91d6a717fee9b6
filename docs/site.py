"""Hooks of MkDocs, named in mkdocs.yml: pages that scripts have written are listed, and nothing asks the network.

Links that a reader may click are allowed to lead anywhere; what a page loads by itself (scripts, styles, fonts,
pictures) has to lie in the site.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ELSEWHERE = r"\s*=\s*[\"']?(?:https?:)?//"
LOADED = re.compile(
    rf"<(?:script|img|iframe|source|video|audio)\b[^>]*\bsrc{ELSEWHERE}[^>]*>"
    rf"|<link\b(?=[^>]*\brel=[\"']?(?:stylesheet|preload|preconnect|icon))[^>]*\bhref{ELSEWHERE}[^>]*>",
    re.IGNORECASE,
)
STYLED = re.compile(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//[^)\s]*", re.IGNORECASE)


def loaded_from_elsewhere(text: str, ending: str) -> list[str]:
    """What a page (`.html`) or a style sheet (`.css`) would fetch from another host."""
    return (STYLED if ending == ".css" else LOADED).findall(text)


def on_config(config: Any, **_: Any) -> Any:
    """Called by MkDocs first: add the pages of docs/published to their section, and others that no section lists."""
    docs = Path(config["docs_dir"])
    published = sorted(f"published/{path.name}" for path in (docs / "published").glob("*.md"))
    section = next(section["Published"] for section in config["nav"] if "Published" in section)
    section[1:1] = [page for page in published if not page.endswith("README.md")]
    listed = set(pages_of(config["nav"]))
    others = [page for path in sorted(docs.rglob("*.md")) if (page := path.relative_to(docs).as_posix()) not in listed]
    config["nav"] += [{"More": others}] if others else []
    return config


def pages_of(nav: Any) -> Iterator[str]:
    """Every page that a part of the navigation lists."""
    if isinstance(nav, str):
        yield nav
    else:
        for part in nav.values() if isinstance(nav, dict) else nav:
            yield from pages_of(part)


def on_post_build(config: Any, **_: Any) -> None:
    """Called by MkDocs when all pages are written."""
    from mkdocs.exceptions import PluginError

    site = Path(config["site_dir"])
    for path in sorted([*site.rglob("*.html"), *site.rglob("*.css")]):
        if found := loaded_from_elsewhere(path.read_text(encoding="utf-8"), path.suffix):
            raise PluginError(f"{path.relative_to(site)} would load from the network: {found[0]}")
