"""What the parts of a record say, for people: which parameters drift, along what, and the numbers to draw it from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from identikit.likelihood import Agreement
from identikit.method._settings import JUDGEMENT
from identikit.problem import Problem
from identikit.result import Finding, apart, finding


def drift_findings(
    problem: Problem, p: np.ndarray, deviation: np.ndarray, agreement: Agreement | None
) -> tuple[Finding, ...]:
    """One warning for all parameters that differ between the parts by what matters beside their standard errors."""
    if agreement is None or agreement.agree:
        return ()
    told, about = [], []
    for i, name in enumerate(problem.free):
        between = float(np.hypot(agreement.spread[i], agreement.drift[i]))
        if between < JUDGEMENT.drift_matters * deviation[i] or not np.isfinite(deviation[i]):
            continue
        values = [p[i] + part.change[i] for part in agreement.parts]
        told.append(f"{name} {_course(values, steady=abs(agreement.drift[i]) > agreement.spread[i])}")
        about.append(name)
    if not told:
        return ()
    first, last = agreement.parts[0], agreement.parts[-1]
    sizes = f", as the amplitude goes from {first.amplitude.max():.3g} to {last.amplitude.max():.3g}"
    text = (
        f"{len(agreement.parts)} parts of the record disagree by more than chance: {'; '.join(told)}"
        f"{sizes if agreement.along == 'amplitude' else ' over time'}"
    )
    return (finding("parts_disagree", text, *about),)


def _course(values: Sequence[float], steady: bool) -> str:
    """How a parameter goes from part to part: where it begins and ends only if it has a direction."""
    first, last, low, high = apart(values[0], values[-1], min(values), max(values))
    if not steady:
        return f"varies between {low} and {high}"
    return f"goes from {first} to {last}" + ("" if {first, last} == {low, high} else f" (between {low} and {high})")


def parts_artifact(problem: Problem, p: np.ndarray, agreement: Agreement | None) -> dict[str, dict[str, Any]]:
    """The estimates of the parts as a table, to draw them."""
    if agreement is None:
        return {}
    parts = agreement.parts
    table: dict[str, Any] = {
        "kind": "table",
        "p_value": agreement.p_value,
        "along": agreement.along,
        "record": [part.record for part in parts],
        "begin": [part.begin for part in parts],
        "end": [part.end for part in parts],
        "amplitude": [float(part.amplitude.max()) for part in parts],
        "parameters": {
            name: {
                "value": [float(p[i] + part.change[i]) for part in parts],
                "std": [float(part.std[i]) if np.isfinite(part.std[i]) else None for part in parts],
            }
            for i, name in enumerate(problem.free)
        },
    }
    if not agreement.agree:
        table["what"] = "parts"  # worth a picture
    return {"parts": table}
