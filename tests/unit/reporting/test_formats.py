"""Markdown and LaTeX take over words, tables and equations, and see no command in them."""

from __future__ import annotations

import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pages import interactive
from saved_answers import ANSWERS, HOSTILE, MODEL_TEXT, fit

import identikit as ik
from identikit.method import METHODS
from identikit.model import library_model
from identikit.reporting import (
    Block,
    Bullets,
    Equations,
    LatexRenderer,
    Listing,
    MarkdownRenderer,
    Paragraph,
    ReportDocument,
    Section,
    Table,
    document_of,
)
from identikit.result import Cells, Panel, Result, Series

LATEX, MARKDOWN = LatexRenderer(), MarkdownRenderer()


def latex_text(text: str) -> str:
    return LATEX.paragraph(Paragraph(text)).strip()


def blocks(result: Result, title: str) -> tuple[Block, ...]:
    """What stands under a heading of a fit's page."""
    return next(item.blocks for item in document_of(result).sections if item.title == title)


@pytest.mark.parametrize("kind", ANSWERS)
def test_latex_sees_no_command_in_texts(kind: str) -> None:
    text = ik.report(ANSWERS[kind](HOSTILE), format="tex")
    outside = re.sub(r"\\begin\{verbatim\}.*?\\end\{verbatim\}", "", text, flags=re.DOTALL)
    assert r"\textbackslash{}input\{secret\}" in outside
    assert r"\input" not in outside and "$" not in outside.replace(r"\$", "")


@pytest.mark.parametrize("kind", ANSWERS)
def test_markdown_sees_no_html_in_texts(kind: str) -> None:
    text = ik.report(ANSWERS[kind](HOSTILE), format="md")
    outside = re.sub(r"^(`{3,})\n.*?^\1$", "", text, flags=re.DOTALL | re.MULTILINE)
    assert "<script>" not in outside and "&lt;script&gt;" in outside


def test_tables_leave_out_empty_columns_and_set_numbers_flush_right() -> None:
    cells = Cells(("name", "value", "note"), (("a|b", "1.5", ""), ("c_d", "2", "")), (1,))
    assert MARKDOWN.table(Table(cells)).strip() == "| name | value |\n| --- | ---: |\n| a\\|b | 1.5 |\n| c\\_d | 2 |"
    lines = LATEX.table(Table(cells)).splitlines()
    assert lines[lines.index(r"\begin{tabular}{lr}") : lines.index(r"\end{tabular}") + 1] == [
        r"\begin{tabular}{lr}",
        r"\toprule",
        r"name & value \\",
        r"\midrule",
        r"a\textbar{}b & 1.5 \\",
        r"c\_d & 2 \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]


def test_special_letters_are_escaped_once() -> None:
    assert latex_text("5 % of {a}\\b") == r"5 \% of \{a\}\textbackslash{}b"
    assert MARKDOWN.paragraph(Paragraph("a_b <i> & `c`")).strip() == r"a\_b &lt;i&gt; &amp; \`c\`"


@pytest.mark.parametrize("name", ["horizontal_pendulum", "duffing", "tank_reactor", "coupled_chua", "lotka_volterra"])
def test_equations_are_mathml_that_a_browser_can_read(name: str) -> None:
    model = library_model(name)
    found = blocks(replace(fit(), model_text=model.to_toml()), "Equations")[0]
    assert isinstance(found, Equations) and len(found.rows) >= len(model.states)
    for equation in found.rows:
        assert ET.fromstring(equation.mathml).tag.endswith("math")
        assert " = " in equation.latex


def test_greek_names_become_letters() -> None:
    found = blocks(replace(fit(), model_text=MODEL_TEXT), "Equations")[0]
    assert isinstance(found, Equations)
    assert "ζ" in "".join(ET.fromstring(found.rows[1].mathml).itertext()) and r"\zeta" in found.rows[1].latex


def test_a_model_that_cannot_be_read_is_shown_as_it_was_saved() -> None:
    found = blocks(replace(fit(), model_text="name = <script>"), "Equations")[0]
    assert isinstance(found, Listing) and found.text == "name = <script>"


@pytest.mark.parametrize("name", list(METHODS))
def test_the_bibliography_says_what_the_method_says(name: str) -> None:
    told = METHODS.find(name).reference
    listed, bibtex = references(name)
    entries = bibtex.split("\n\n")
    assert len(listed) == len(entries) >= 1
    for text, entry in zip(listed, entries, strict=True):
        fields = dict(re.findall(r"^  (\w+) = \{(.*)\},$", entry, re.MULTILINE))
        author = fields["author"].split(" and ")[0]
        year = fields["year"] if "arXiv" not in text else fields["year"][2:]
        assert author.split()[-1] in told and year in told, entry
        assert text.startswith(author)


def references(name: str) -> tuple[tuple[str, ...], str]:
    """What the page of a fit by this method cites, as sentences and as BibTeX."""
    text, bibtex = blocks(replace(fit(), method=name, diagnostics={}, model_text=None), "References")
    assert isinstance(text, Bullets) and isinstance(bibtex, Listing)
    return text.items, bibtex.text


def test_a_reference_that_has_a_doi_prints_it() -> None:
    (found,), _ = references("reference_points")
    assert found.endswith("Mathematics 11(12) (2023) 2643, doi 10.3390/math11122643.")


def test_thinning_keeps_both_ends_and_every_extreme() -> None:
    y = np.sin(np.linspace(0, 60, 20_001))
    y[7_777], y[12_345] = 9.0, -9.0
    kept = drawn(y)
    assert len(kept) <= 2400 and {0, 7_777, 12_345, 20_000} <= set(kept)
    assert np.all(np.diff(kept) > 0)
    assert drawn(y[:500]) == list(range(500))  # negative control: so few are all kept
    assert drawn(np.full(5000, np.nan)) == [0, 4999]


def drawn(y: np.ndarray) -> list[float]:
    """Which points of a line are in the picture that can be zoomed into."""
    line = Series("y", tuple(map(float, range(len(y)))), tuple(y.tolist()))
    (trace,) = interactive((Panel("", "x", "y", (line,)),), (3.0,))["data"]
    return trace["x"]


def test_latex_knows_every_letter_by_a_name_of_its_own() -> None:
    assert latex_text("\N{OHM SIGN} \N{GREEK SMALL LETTER OMEGA}") == r"\ensuremath{\Omega} \ensuremath{\omega}"
    assert latex_text("\N{GREEK SMALL LETTER LAMDA}\N{GREEK CAPITAL LETTER RHO}") == (
        r"\ensuremath{\lambda}\ensuremath{\mathrm{P}}"
    )
    assert latex_text("m\N{SUPERSCRIPT FOUR}") == r"m\textsuperscript{4}"
    assert latex_text("\N{CJK UNIFIED IDEOGRAPH-4E2D}\x1b") == "(U+4E2D)(U+001B)"
    assert latex_text("Z\N{LATIN SMALL LETTER U WITH DIAERESIS}rich") == "Z\N{LATIN SMALL LETTER U WITH DIAERESIS}rich"
    assert latex_text("--- ") == "-{}-{}-"


def test_no_row_or_item_of_latex_begins_with_what_reads_as_an_option() -> None:
    text = LATEX.table(Table(Cells(("a",), (("[1 m]",), ("*",)))))
    assert not re.search(r"\\\\\s*[\[*]", text) and "{[}1 m]" in text and "{*}" in text


def test_letters_of_listings_are_declared() -> None:
    listing = Listing("a", "k = 3 \N{GREEK CAPITAL LETTER OMEGA}")
    text = LATEX.whole(ReportDocument("t", "k", (Section("s", (listing,)),)))
    before = text.split(r"\begin{document}")[0]
    assert r"\DeclareUnicodeCharacter{03A9}{\ensuremath{\Omega}}" in before


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="LaTeX is not installed")
@pytest.mark.parametrize("kind", ANSWERS)
def test_a_report_in_latex_compiles_by_itself(kind: str, tmp_path: Path) -> None:
    name = f"[a] {HOSTILE} \N{GREEK CAPITAL LETTER OMEGA} \N{CJK UNIFIED IDEOGRAPH-4E2D} --"
    ik.report(ANSWERS[kind](name), tmp_path / "report.tex")
    words = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "report.tex"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]
