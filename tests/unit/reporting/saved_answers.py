"""One answer of every kind, made by hand and quick to make; the texts in them may be hostile.

The comparison has the fields that `compare` answers with: six methods, two of which do not apply.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from identikit.measurement import Clock
from identikit.result import (
    AmplitudeRange,
    Code,
    ColumnLook,
    ColumnRole,
    ComparisonReport,
    DampingReport,
    DesignReport,
    ExpectedParameter,
    Finding,
    FitQuality,
    IdentifiabilityReport,
    JudgedRecord,
    LawResult,
    LookReport,
    MechanismResult,
    MethodEntry,
    ModelChoice,
    Motion,
    MotionKind,
    NoiseFound,
    Panel,
    ParameterEstimate,
    PlannedExperiment,
    PlannedRun,
    PracticalResult,
    Prediction,
    PublishedFigure,
    RecordVariant,
    Reproduction,
    Result,
    SelectionReport,
    Series,
    Severity,
    Status,
    StructuralResult,
    Suggestion,
    WantedParameter,
)

HOSTILE = r"""<script>alert("x")</script> $\frac{1}$ \input{secret} & |a| 'b' *c* _d_ `e`"""
MODEL_TEXT = r"""
name = "spring"
source = "<b>bold</b> book"

[states]
x = { unit = "m" }
v = { unit = "m/s" }

[parameters]
zeta = { value = 0.1, unit = "1/s", meaning = '<img src="x" onerror="alert(1)"> damping' }
k = { value = 6.0 }

[equations]
x = "v"
v = "-2*zeta*v - k*x"

[outputs]
x = { expression = "x", unit = "m" }
"""
OK = Status(Code.OK, "converged")
PROVENANCE = {"identikit": "0.2.0", "data_sha256": "8b49", "records": ["run"], "samples": 300, "seed": 0}
TIME = np.linspace(0.0, 10.0, 300)
ESTIMATES = {
    "zeta": ParameterEstimate(0.05, "1/s", 0.001, (0.048, 0.052), 0.001, identifiable=True),
    "k": ParameterEstimate(20.0, "", 0.01, (19.98, 20.02), 0.01, identifiable=True, note="at a bound"),
    "m": ParameterEstimate(1.0, "kg", role="fixed"),
}


def finding(text: str) -> tuple[Finding, ...]:
    return (Finding("strongly_correlated", Severity.WARNING, text, ("zeta",)),)


def curve(name: str) -> dict[str, Any]:
    measured = np.cos(3 * TIME) + 0.05 * np.random.default_rng(0).standard_normal(len(TIME))
    return {
        "kind": "curve", "output": name, "record": name, "unit": name, "time_unit": "s", "t": TIME.tolist(),
        "measured": measured.tolist(), "modelled": np.cos(3 * TIME).tolist(),
    }  # fmt: skip


def fit(name: str = "x") -> Result:
    lags = list(range(1, 20))
    parts = {
        "kind": "table", "along": "amplitude", "p_value": 0.4, "record": ["run"] * 3, "begin": [0, 3, 6],
        "end": [3, 6, 9], "amplitude": [3, 2, 1],
        "parameters": {"zeta": {"value": [0.05, 0.06, 0.04], "std": [0.01, 0.01, 0.02]}},
    }  # fmt: skip
    return Result(
        name, "shooting", OK, {**ESTIMATES, "k": ParameterEstimate(20.0, name, note=name)},
        initial_states=({"x": {"value": 1.0, "std": 0.01}},),
        noise={name: NoiseFound(0.05, True)},
        fit={name: FitQuality(0.05, 93.0, 99.0)},
        artifacts={
            "curve": curve(name),
            "input": {
                "kind": "input", "name": name, "record": name, "unit": name, "t": [0, 5, 10], "values": [0, 1, 0],
            },
            "own": {
                "kind": "correlation", "output": name, "input": None, "lags": lags, "values": [0.01] * 19,
                "bound": [0.1] * 19,
            },
            "parts": parts,
        },
        diagnostics={
            "identifiability": {
                "correlation": {"zeta": {"zeta": 1, "k": 0.2}, "k": {"zeta": 0.2, "k": 1}}, "condition": 3,
            },
            "residuals": {name: {"whiteness_p": 0.3}},
            "auto": {"second_opinion": {"method": "galerkin", "z": {"zeta": 0.4, "k": 1.2}}},
        },
        seconds={"total": 1.5}, provenance={**PROVENANCE, "channels": {"x": name}},
        findings=(*finding(name), Finding("second_opinion_agrees", Severity.NOTE, "galerkin agrees")),
        question={"model": "spring", "data": [f"{name}.csv"], "fix": {"m": 1.0}}, model_text=MODEL_TEXT,
    )  # fmt: skip


def prediction(name: str = "x") -> Prediction:
    return Prediction(
        name, "shooting", OK, "estimated", {"zeta": 0.05}, ({"x": {"value": 1.0, "std": None}},),
        {name: FitQuality(0.05, 93.0, 99.0)}, {name: NoiseFound(0.05, False)},
        {name: {"whiteness_p": 0.2, "autocorrelation": [0.1], "over_noise": 1.1, "inside": 0.94}},
        {"curve": curve(name)}, {"total": 1.0}, PROVENANCE, {"model": MODEL_TEXT, "data": [name]},
    )  # fmt: skip


def damping(name: str = "x") -> DampingReport:
    amplitude = np.exp(-0.1 * TIME)
    envelope = {"t": TIME.tolist(), "amplitude": amplitude.tolist(), "middle": 0.0}
    laws = tuple(
        LawResult(
            law, (law,), {"c": {"value": 0.1, "std": 0.01, "unit": name}}, {"x": 0.05}, 10.0, above, weight, 1.1, False,
            {"viscous": 1.0}, True, (AmplitudeRange(1.0, 0.5, 1.02, 0.99, 0.05),),
        )
        for law, above, weight in (("viscous", 0.0, 0.97), ("dry", 40.0, 0.03))
    )  # fmt: skip
    shown = {
        **curve(name), "column": name, "envelopes": {"viscous": envelope, "dry": envelope},
        "amplitude": {"t": TIME[::30].tolist(), "amplitude": amplitude[::30].tolist()},
    }  # fmt: skip
    baseline = {"ratio": 0.03, "ratio_std": 0.001, "frequency": 1.0, "warnings": [name]}
    return DampingReport(
        name, "shooting", OK, "viscous", (name,), laws, {"viscous": MechanismResult(("c",), 0.97, 1.0, 0.9, 1.0)},
        {"log_decrement": baseline}, (shown,), {}, {"total": 1.0}, PROVENANCE,
        {"model": "pendulum", "data": [name]}, finding(name),
    )  # fmt: skip


def selection(name: str = "x") -> SelectionReport:
    models = tuple(
        ModelChoice(
            model, Code.OK, "", {"zeta": ESTIMATES["zeta"]}, 3, -10.0, 20.0, above, 21.0, weight, 1.0, False,
            {"x": 0.05}, {"x": True}, (name,),
        )
        for model, above, weight in ((name, 0.0, 0.9), ("other", 4.0, 0.1))
    )  # fmt: skip
    left = {
        "model": name, "output": name, "record": name, "unit": name, "time_unit": "s", "t": [0, 1, 2],
        "residual": [0.1, -0.1, 0.0], "t_unseen": [2, 3], "unseen": [0.2, 0.1],
    }  # fmt: skip
    return SelectionReport(
        "shooting", OK, name, (name,), models, (), (left,), finding(name), {"total": 1.0}, PROVENANCE
    )


def identifiability(name: str = "x") -> IdentifiabilityReport:
    structural = StructuralResult((name,), (), 2, 2, 2, {"zeta": True, "k": True}, {"x": True})
    record = JudgedRecord(True, 300, 10.0, 0.03, "s", {name: 0.05}, {"x": 1.0}, (), {"u": name})
    practical = PracticalResult(
        record,
        {
            "zeta": ExpectedParameter(0.05, name, 0.001, 0.02, True),
            "k": ExpectedParameter(20.0, "", 0.01, 0.0005, True),
        },
        variants=(RecordVariant(name, {"zeta": 0.01, "k": 0.0004}, ("zeta", "k")),),
        correlation={"zeta": {"zeta": 1.0, "k": 0.2}, "k": {"zeta": 0.2, "k": 1.0}},
    )
    return IdentifiabilityReport(
        name, OK, ("zeta", "k"), structural, practical, finding(name), {"total": 1.0}, {},
        {"model": MODEL_TEXT, "data": None},
    )  # fmt: skip


def design(name: str = "x") -> DesignReport:
    run = PlannedRun({"x": 1.0}, ((0.0, 10.0),), 0.1, 100)
    planned = tuple(
        PlannedExperiment(
            title, (run,), {}, {}, {}, {name: 0.05}, 1.0, {"zeta": 0.001, "k": 0.01}, {"zeta": True, "k": True}
        )
        for title in ("present", name)
    )
    shown = {
        "experiment": name, "run": 1, "t": [0, 1, 2], "outputs": {name: [0, 1, 0]}, "units": {name: "m"},
        "inputs": {"u": [1, 1, 0]}, "sampled": [0, 1, 2],
    }  # fmt: skip
    wanted = {"zeta": WantedParameter(0.05, name, 0.05), "k": WantedParameter(20.0, "", 20.0)}
    return DesignReport(
        name, OK, "largest", wanted, "s", planned, name, None, (name,), (shown,), finding(name), {"total": 1.0},
        PROVENANCE, MODEL_TEXT,
    )  # fmt: skip


def look(name: str = "x") -> LookReport:
    column = ColumnLook(name, name, ColumnRole.MEASURED, 300, 0, -1.0, 1.0)
    values = np.cos(TIME).tolist()
    return LookReport(
        name, {name: 300}, 300, 0.0, 10.0, "s", Clock(0.03, 0.0, 1.0, 0, ()), Motion(MotionKind.STEADY), (column,),
        (Suggestion("fit", name, name),), finding(name),
        {name: {"t": TIME.tolist(), "low": values, "high": values}}, {"total": 0.1}, {"data_sha256": "8b49"},
    )  # fmt: skip


def reproduction(name: str = "x") -> Reproduction:
    figure = PublishedFigure(name, name, name, 1.5, 1.4, 0.1, None, name)
    series = Series(name, (0.0, 1.0, 2.0), (1.0, 2.0, 1.5))
    bars = Series(name, (0.0, 1.0), (1.0, 10.0), style="bars", low=(0.9, 9.0), high=(1.2, 11.0))
    panels = (
        Panel(name, f"{name} [s]", f"{name} [m]", (series,)),
        Panel(name, name, name, (bars,), y_scale="log", ticks=(name, "other")),
    )
    return Reproduction(name, name, name, name, (figure,), panels, {name: name}, 3, (name,), True, {"total": 1.0}, {})


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
        method,
        method.title(),
        Code.OK,
        "fine",
        (),
        parameters,
        errors,
        seconds,
        fit,
        1.02,
        agrees=agrees,
        reason=reason,
    )


COMPARED = {
    "methods": ["shooting", "galerkin"],
    "truth": TRUTH,
    "method_options": {"galerkin": {"order": 4}},
    "held_out": False,
    "time_limit": 60.0,
}


def comparison(name: str = "x") -> ComparisonReport:
    entries = (
        _entry("shooting", 0.0499, 19.9996, 1.0, 0.4, True),
        _entry("galerkin", 0.0504, 20.0004, 1.3, 0.8, True),
        _entry("least_squares", 0.0466, 19.9973, 2.0, 0.2, False, "smoothing"),
        _entry("kalman", 0.0497, 19.9997, 1.1, 2.9, True),
        MethodEntry("reference_points", "", Code.NOT_APPLICABLE, "", ("the system is not linear",)),
        MethodEntry("uas", "", Code.NOT_APPLICABLE, "", (name,)),
    )
    words = ("shooting, galerkin and kalman agree within their intervals.", name)
    return ComparisonReport(
        Status(Code.OK, "fine"), words, "shooting", TRUTH, CRLB, entries, fit(name), finding(name),
        question={"model": name, "data": [name]},
        seconds={"total": 4.3}, provenance={"identikit": "0.2.0", "samples": 3001, "asked": COMPARED},
    )  # fmt: skip


def reproductions(name: str = "x") -> list[Reproduction]:
    return [reproduction(name), reproduction(name)]


ANSWERS: dict[str, Callable[..., Any]] = {
    made.__name__: made
    for made in (
        fit, prediction, damping, selection, identifiability, design, look, reproduction, reproductions, comparison
    )
}  # fmt: skip
