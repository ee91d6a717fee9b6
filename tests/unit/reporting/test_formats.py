"""Markdown and LaTeX take over words, tables and equations, and see no command in them."""

from __future__ import annotations

import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from saved_answers import ANSWERS, HOSTILE, MODEL_TEXT

import identikit as ik
from identikit.method import METHODS
from identikit.model import library_model, model_from_toml
from identikit.reporting import LatexRenderer, Listing, ReportDocument, Section
from identikit.reporting._equations import equations_of, equations_section
from identikit.reporting._latex import latex_table, latex_text
from identikit.reporting._markdown import markdown_table, markdown_text
from identikit.reporting._references import CITED, references
from identikit.reporting._thinning import kept_points
from identikit.result import Cells


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
    assert markdown_table(cells) == "| name | value |\n| --- | ---: |\n| a\\|b | 1.5 |\n| c\\_d | 2 |"
    assert latex_table(cells).splitlines() == [
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
    assert markdown_text("a_b <i> & `c`") == r"a\_b &lt;i&gt; &amp; \`c\`"


@pytest.mark.parametrize("name", ["horizontal_pendulum", "duffing", "tank_reactor", "coupled_chua", "lotka_volterra"])
def test_equations_are_mathml_that_a_browser_can_read(name: str) -> None:
    model = library_model(name)
    found = equations_of(model)
    assert len(found) >= len(model.states)
    for equation in found:
        assert ET.fromstring(equation.mathml).tag.endswith("math")
        assert " = " in equation.latex


def test_greek_names_become_letters() -> None:
    rows = equations_of(model_from_toml(MODEL_TEXT))
    assert "ζ" in "".join(ET.fromstring(rows[1].mathml).itertext()) and r"\zeta" in rows[1].latex


def test_a_model_that_cannot_be_read_is_shown_as_it_was_saved() -> None:
    section = equations_section("name = <script>")
    assert section is not None and getattr(section.blocks[0], "text", "") == "name = <script>"


@pytest.mark.parametrize("name", list(METHODS))
def test_the_bibliography_says_what_the_method_says(name: str) -> None:
    told = METHODS.find(name).reference
    found = references([name])
    assert len(found) == len(CITED[name]) >= 1
    for item in found:
        first = item.fields["author"].split(" and ")[0].split()[-1]
        year = item.fields["year"] if "arXiv" not in item.text else item.fields["year"][2:]
        assert first in told and year in told, item.key
        assert item.text.startswith(item.fields["author"].split(" and ")[0])


def test_a_reference_that_has_a_doi_prints_it() -> None:
    (found,) = references(["reference_points"])
    assert found.text.endswith("Mathematics 11(12) (2023) 2643, doi 10.3390/math11122643.")


def test_thinning_keeps_both_ends_and_every_extreme() -> None:
    y = np.sin(np.linspace(0, 60, 20_001))
    y[7_777], y[12_345] = 9.0, -9.0
    kept = kept_points(y, 1000)
    assert len(kept) <= 1000 and {0, 7_777, 12_345, 20_000} <= set(kept.tolist())
    assert np.all(np.diff(kept) > 0)
    assert kept_points(y[:500], 1000).tolist() == list(range(500))
    assert len(kept_points(np.full(5000, np.nan), 100)) == 2


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
    text = latex_table(Cells(("a",), (("[1 m]",), ("*",))))
    assert not re.search(r"\\\\\s*[\[*]", text) and "{[}1 m]" in text and "{*}" in text


def test_letters_of_listings_are_declared() -> None:
    listing = Listing("a", "k = 3 \N{GREEK CAPITAL LETTER OMEGA}")
    text = LatexRenderer().whole(ReportDocument("t", "k", (Section("s", (listing,)),)))
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
