"""A comparison with the fields that `compare` answers with, made by hand: six methods, two of which do not apply."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from identikit.result import Code, Finding, ParameterEstimate, Result, Status


@dataclass(frozen=True)
class MethodEntry:
    method: str
    title: str
    status: Code
    message: str
    objections: tuple[str, ...] = ()
    parameters: Mapping[str, ParameterEstimate] = field(default_factory=dict)
    error_over_crlb: Mapping[str, float] = field(default_factory=dict)
    seconds: float | None = None
    fit_percent: Mapping[str, float] = field(default_factory=dict)
    held_out: float | None = None
    agrees: bool | None = None
    reason: str = ""


@dataclass(frozen=True)
class ComparisonReport:
    status: Status
    sentences: tuple[str, ...] = ()
    reference: str | None = None
    truth: Mapping[str, float] = field(default_factory=dict)
    crlb: Mapping[str, float] = field(default_factory=dict)
    entries: tuple[MethodEntry, ...] = ()
    result: Result | None = None
    findings: tuple[Finding, ...] = ()
    question: Mapping[str, Any] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)
    provenance: Mapping[str, Any] = field(default_factory=dict)


TRUTH = {"zeta": 0.05, "k": 20.0}
CRLB = {"zeta": 0.0005, "k": 0.0004}


def _entry(
    method: str, zeta: float, k: float, wide: float, seconds: float, agrees: bool | None, reason: str = ""
) -> MethodEntry:
    values = {"zeta": (zeta, "1/s"), "k": (k, "")}
    parameters = {}
    for name, (value, unit) in values.items():
        std = wide * CRLB[name]
        ci95 = (value - 1.96 * std, value + 1.96 * std)
        parameters[name] = ParameterEstimate(value, unit, std, ci95, CRLB[name], identifiable=True)
    errors = {name: (value - TRUTH[name]) / CRLB[name] for name, (value, _) in values.items()}
    fit = {"theta": 92.8 if agrees is not False else 71.0}
    return MethodEntry(
        method, method.title(), Code.OK, "fine", (), parameters, errors, seconds, fit, 1.02, agrees, reason
    )


def comparison(result: Result | None = None) -> ComparisonReport:
    entries = (
        _entry("shooting", 0.0499, 19.9996, 1.0, 0.4, True),
        _entry("galerkin", 0.0504, 20.0004, 1.3, 0.8, True),
        _entry("least_squares", 0.0466, 19.9973, 2.0, 0.2, False, "bias of the smoothing"),
        _entry("kalman", 0.0497, 19.9997, 1.1, 2.9, True),
        MethodEntry("reference_points", "", Code.NOT_APPLICABLE, "", ("the system is not linear",)),
        MethodEntry("uas", "", Code.NOT_APPLICABLE, "", ("bounds are missing: give them",)),
    )
    words = ("shooting, galerkin and kalman agree within their intervals.", "least_squares is off: smoothing.")
    return ComparisonReport(
        Status(Code.OK, "fine"), words, "shooting", TRUTH, CRLB, entries, result,
        question={"model": "horizontal_pendulum", "data": ["swing.csv"]},
        seconds={"total": 4.3}, provenance={"identikit": "0.2.0", "samples": 3001},
    )  # fmt: skip
