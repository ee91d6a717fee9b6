"""Which answers can be reported, and who makes the report. A new kind is a function and a row here.

A row is the name of an answer's class and a builder: builder(answer, command) -> ReportDocument. From outside:
`identikit.reporting.REPORTS.register("ClassName", "package.module:builder")`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from identikit.errors import OptionError
from identikit.registry import Registry
from identikit.reporting._document import ReportDocument

Builder: TypeAlias = Callable[[Any, str], ReportDocument]

REPORTS: Registry[Builder] = Registry(
    "kind of report",
    {
        "Result": "identikit.reporting._fit_document:fit_document",
        "Prediction": "identikit.reporting._prediction_document:prediction_document",
        "DampingReport": "identikit.reporting._damping_document:damping_document",
        "SelectionReport": "identikit.reporting._selection_document:selection_document",
        "IdentifiabilityReport": "identikit.reporting._identifiability_document:identifiability_document",
        "DesignReport": "identikit.reporting._design_document:design_document",
        "LookReport": "identikit.reporting._look_document:look_document",
        "ComparisonReport": "identikit.reporting._comparison_document:comparison_document",
        "Reproduction": "identikit.reporting._reproduction_document:reproduction_document",
        "list": "identikit.reporting._reproduction_document:reproductions_document",  # what `reproduce` answers
    },
    group="identikit.reports",
)


def document_of(what: Any, command: str = "") -> ReportDocument:
    """The report of an answer, before it is laid out."""
    kind = type(what).__name__
    if kind not in REPORTS:
        raise OptionError(
            f"no report can be written of a {kind}: expected what a front door answered, or a saved document; known "
            f"are {', '.join(REPORTS)}"
        )
    return REPORTS.find(kind)(what, command)
