"""Letters that pdfLaTeX knows by another name: what is special to it, Greek, signs of mathematics, and all others."""

from __future__ import annotations

import re
import unicodedata

SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "_": r"\_",
    "%": r"\%",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "[": "{[}",  # these two at the beginning of a row or an item would be taken for options of what stands before
    "*": "{*}",
}
# signs that are commands of mathematics, beside the Greek letters, which Unicode names as LaTeX does
_SIGNS = {
    "\N{MINUS SIGN}": "-",
    "\N{PLUS-MINUS SIGN}": r"\pm",
    "\N{MULTIPLICATION SIGN}": r"\times",
    "\N{DOT OPERATOR}": r"\cdot",
    "\N{LESS-THAN OR EQUAL TO}": r"\le",
    "\N{GREATER-THAN OR EQUAL TO}": r"\ge",
    "\N{NOT EQUAL TO}": r"\ne",
    "\N{ALMOST EQUAL TO}": r"\approx",
    "\N{PROPORTIONAL TO}": r"\propto",
    "\N{INFINITY}": r"\infty",
    "\N{SQUARE ROOT}": r"\surd",
    "\N{PARTIAL DIFFERENTIAL}": r"\partial",
    "\N{INTEGRAL}": r"\int",
    "\N{N-ARY SUMMATION}": r"\sum",
    "\N{RIGHTWARDS ARROW}": r"\to",
    "\N{PRIME}": r"{}^\prime",
}
_ALIKE = {"omicron": "o", "final sigma": r"\varsigma"}  # small letters without a command of their own
_LIKE_LATIN = {
    "alpha": "A", "beta": "B", "epsilon": "E", "zeta": "Z", "eta": "H", "iota": "I", "kappa": "K", "mu": "M", "nu": "N",
    "omicron": "O", "rho": "P", "tau": "T", "chi": "X",
}  # fmt: skip
_GREEK = re.compile(r"GREEK (SMALL|CAPITAL) LETTER ((?:FINAL )?[A-Z]+)")
# what pdfLaTeX's T1 letters hold, beside ASCII: Western and Central European ones, and signs of text
_KNOWN = re.compile(
    "[\u00a1-\u00ac\u00ae-\u00ff\u0100-\u0107\u010c-\u0111\u0118-\u011b\u0139-\u013a\u013d-\u013e\u0141-\u0144"
    "\u0147-\u0148\u0150-\u0155\u0158-\u015b\u015e-\u0165\u016e-\u0171\u0178-\u017e\u2013\u2014\u2018-\u201a"
    "\u201c-\u201e\u2020-\u2022\u2026\u2030\u2039\u203a\u20ac\u2122]"
)


def letter(one: str) -> str:
    """A letter of text, as LaTeX that shows it; by its number where no font of LaTeX has it."""
    return SPECIAL.get(one) or (one if one.isascii() and one.isprintable() else foreign(one))


def foreign(one: str) -> str:
    """A letter that is not ASCII; itself where pdfLaTeX knows it."""
    sign = _SIGNS.get(one) or _greek(unicodedata.normalize("NFC", one))
    if sign:
        return rf"\ensuremath{{{sign}}}"
    if _KNOWN.fullmatch(one):
        return one
    raised, _, parts = unicodedata.decomposition(one).rpartition("> ")
    plain = "".join(chr(int(part, 16)) for part in parts.split() if not unicodedata.combining(chr(int(part, 16))))
    if plain and plain != one:
        command = {"<super": r"\textsuperscript", "<sub": r"\textsubscript"}.get(raised)
        inside = "".join(map(letter, plain))
        return f"{command}{{{inside}}}" if command else inside
    return f"(U+{ord(one):04X})"


def declarations(text: str) -> str:
    """For LaTeX that holds letters as they are, in listings and equations: what each stands for, to go before it."""
    strange = sorted({one for one in text if not one.isascii() and foreign(one) != one})
    return "".join(rf"\DeclareUnicodeCharacter{{{ord(one):04X}}}{{{foreign(one)}}}" + "\n" for one in strange)


def _greek(one: str) -> str:
    named = _GREEK.fullmatch(unicodedata.name(one, "") if len(one) == 1 else "")
    if named is None:
        return ""
    size, name = named[1], named[2].lower().replace("lamda", "lambda")
    if size == "SMALL":
        return _ALIKE.get(name, rf"\{name}")
    return rf"\mathrm{{{_LIKE_LATIN[name]}}}" if name in _LIKE_LATIN else rf"\{name.capitalize()}"
