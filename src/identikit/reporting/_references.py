"""What to cite for a method: references.bib as people read it, and as BibTeX.

The entries say what the methods' own `reference` says, which a test compares; they stand here because a report is
written from a saved document, without loading any method.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.resources import files

from identikit.reporting._document import Bullets, Listing, Section

CITED = {
    "shooting": ("bock1983",),
    "galerkin": ("liu2018",),
    "least_squares": ("soderstrom1989",),
    "energy": ("mann2009",),
    "averaging": ("nayfeh1979",),
    "reference_points": ("tsitsiashvili2023",),
    "restoring_force": ("masri1979",),
    "sindy": ("brunton2016",),
    "symbolic": ("burlacu2020",),
    "envelope": ("feldman1994",),
    "topological": ("myers2022",),
    "pinn": ("raissi2019", "dong2021"),
    "kalman": ("bell1994",),
    "neural_ode": ("chen2018", "rackauckas2020"),
    "uas": ("wadi2022", "ilchmann1993"),
    "auto": ("bock1983",),
}
_ENTRY = re.compile(r"@\w+\{(\w+),.*?\n\}", re.DOTALL)
_FIELD = re.compile(r"^  (\w+) = \{(.*)\},$", re.MULTILINE)


@dataclass(frozen=True)
class Reference:
    """One entry: its key, its BibTeX, and its fields."""

    key: str
    bibtex: str
    fields: dict[str, str]

    @property
    def text(self) -> str:
        """As a reader wants it."""
        get = self.fields.get
        where = get("journal") or get("booktitle") or get("publisher") or get("howpublished") or ""
        number = f"({get('number')})" if get("number") else ""
        volume = f" {get('volume')}{number}" if get("volume") else ""
        pages = f" {get('pages', '').replace('--', '-')}" if get("pages") else ""
        doi = f", doi {get('doi')}" if get("doi") else ""
        written = f"{_authors(get('author', ''))}, {get('title', '')}, {where}{volume} ({get('year')}){pages}{doi}."
        return written.replace("{", "").replace("}", "")


def references(methods: Iterable[str]) -> list[Reference]:
    """What these methods rest on, each once; a method from outside has none here."""
    keys = dict.fromkeys(key for name in methods for key in CITED.get(name, ()))
    known = _library()
    return [known[key] for key in keys]


def references_section(methods: Iterable[str], source: str = "") -> Section | None:
    """Listed, and as BibTeX; `source` is where the model comes from."""
    found = references(methods)
    listed = (*(item.text for item in found), *([f"The model: {source}."] if source else []))
    if not listed:
        return None
    blocks = (Bullets(listed),)
    if not found:
        return Section("References", blocks)
    return Section("References", (*blocks, Listing("BibTeX", "\n\n".join(item.bibtex for item in found), folded=True)))


def _library() -> dict[str, Reference]:
    text = files("identikit.reporting").joinpath("references.bib").read_text(encoding="utf-8")
    return {match[1]: Reference(match[1], match[0], dict(_FIELD.findall(match[0]))) for match in _ENTRY.finditer(text)}


def _authors(text: str) -> str:
    return text.replace(" and others", " et al.").replace(" and ", ", ")
