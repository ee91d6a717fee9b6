"""The page of a fit answers what was asked; only a discovery says which equations a record obeys."""

from __future__ import annotations

from dataclasses import replace

from saved_answers import MODEL_TEXT, fit

from identikit.cli._command_line import command_of
from identikit.reporting import Equations, Listing, ReportDocument, document_of
from identikit.result import finding, sentences

BETTER = MODEL_TEXT.replace('"-2*zeta*v - k*x"', '"-2*zeta*v - k*x - zeta*v*abs(v)"')
LACKS_A_TERM = replace(fit("run"), discovered=BETTER, findings=(finding("missing_term", "zeta*v*abs(v) is missing"),))
LAW = {"law": {"kind": "equation", "equations": {"x": "v", "v": "-0.1*v - 20*x"}}}
DISCOVERY = replace(LACKS_A_TERM, artifacts={**LACKS_A_TERM.artifacts, **LAW})


def words(document: ReportDocument) -> str:
    return "\n".join(str(getattr(block, "text", "")) for item in document.sections for block in item.blocks)


def test_a_fit_that_lacks_a_term_has_the_page_of_a_fit() -> None:
    document = document_of(LACKS_A_TERM)
    assert document.kind == "Parameters of a model, estimated from a record"
    answer = document.sections[0]
    assert "What are zeta and k of run" in words(document) and "found no law" not in words(document)
    assert not any(isinstance(block, Equations) for block in answer.blocks), "the better model is not the user's"
    assert words(document).count(sentences(LACKS_A_TERM)) == 1
    assert command_of(LACKS_A_TERM, "fit.json").startswith("identikit fit run.csv")
    shown = next(item for item in document.sections if item.title == "Equations")
    assert [block.text for block in shown.blocks if isinstance(block, Listing)] == [MODEL_TEXT, BETTER]


def test_a_discovery_has_the_page_of_a_law_and_says_its_summary_once() -> None:
    document = document_of(DISCOVERY)
    assert document.kind == "A law that was discovered"
    assert "Which equations does the record run.csv obey?" in words(document)
    assert isinstance(document.sections[0].blocks[1], Equations)
    assert words(document).count(sentences(DISCOVERY)) == 1
    assert command_of(DISCOVERY, "fit.json") == ""
