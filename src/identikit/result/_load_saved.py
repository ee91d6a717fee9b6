"""Any saved document, by what it says it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

from identikit.errors import DataError
from identikit.result._comparison_report import COMPARISON_SCHEMA, ComparisonReport
from identikit.result._damping_report import DAMPING_SCHEMA, DampingReport
from identikit.result._design_report import DESIGN_SCHEMA, DesignReport
from identikit.result._document import read_document
from identikit.result._identifiability_report import IDENTIFIABILITY_SCHEMA, IdentifiabilityReport
from identikit.result._look_report import LOOK_SCHEMA, LookReport
from identikit.result._prediction import PREDICTION_SCHEMA, Prediction
from identikit.result._reproduction import REPRODUCTION_SCHEMA, Reproduction
from identikit.result._result import SCHEMA, Result
from identikit.result._selection_report import SELECTION_SCHEMA, SelectionReport

Saved: TypeAlias = (
    Result
    | Prediction
    | DampingReport
    | LookReport
    | IdentifiabilityReport
    | DesignReport
    | SelectionReport
    | Reproduction
    | ComparisonReport
)
_READERS: dict[str, Callable[[str | Path], Saved]] = {
    SCHEMA: Result.load,
    PREDICTION_SCHEMA: Prediction.load,
    DAMPING_SCHEMA: DampingReport.load,
    LOOK_SCHEMA: LookReport.load,
    IDENTIFIABILITY_SCHEMA: IdentifiabilityReport.load,
    DESIGN_SCHEMA: DesignReport.load,
    SELECTION_SCHEMA: SelectionReport.load,
    REPRODUCTION_SCHEMA: Reproduction.load,
    COMPARISON_SCHEMA: ComparisonReport.load,
}


def load_saved(path: str | Path) -> Saved:
    """What a command saved: a fit or a law, a prediction, a report, or a plan."""
    document = read_document(path, "result")
    schema = document.get("schema") if isinstance(document, Mapping) else None
    if not isinstance(schema, str) or schema not in _READERS:
        raise DataError(f"{path}: schema is {schema!r}: expected one of {', '.join(_READERS)}")
    return _READERS[schema](path)
