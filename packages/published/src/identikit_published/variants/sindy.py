"""The engine `pysindy`: PySINDy's own optimisers, differentiation and weak form on the same library of terms.

Nothing of it is implemented here a second time. Coefficients are those of PySINDy, so a threshold acts on unscaled
ones, ridge regression pulls them towards zero, and there are no standard errors; constants are refined afterwards, as
with the other engine.

References: B. de Silva et al., PySINDy, J. Open Source Softw. 5 (2020) 2104; A. A. Kaptanoglu et al., 7 (2022) 3994.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np

from identikit.likelihood import reconstruct
from identikit.method.sparse import FoundLaw, Library, no_law
from identikit.method.toolkit import ObjectionError, Option, Variant
from identikit.model import Program, symbol
from identikit.problem import Problem
from identikit.result import FindingKind, Severity, finding, register_finding

OPTIMIZERS = ("stlsq", "sr3", "ssr", "frols")
FORMS = ("weak", "strong")

register_finding(
    FindingKind("needs_even_record", Severity.REFUSAL,
                "The engine smooths samples by position in a window, so it takes one record with even times, no gaps.",
                "Resample the record, or use the method's own engine.", "identikit-published")
)  # fmt: skip


def by_pysindy(problem: Problem, library: Library, options: Mapping[str, Any], seed: int) -> FoundLaw:
    """The law that PySINDy finds with these options."""
    import pysindy

    record = _even_record(problem)
    differentiation = pysindy.SmoothedFiniteDifference(
        smoother_kws={"window_length": min(options["window"], len(record.time) // 2 * 2 - 1), "polyorder": 3}
    )
    with _quietly(seed):
        states = _states(problem, differentiation)
        u = np.stack(list(record.pieces(record.time)), axis=1) if problem.model.inputs else None
        functions = pysindy.CustomLibrary(**_features(library, problem))
        if options["form"] == "weak":
            functions = pysindy.WeakPDELibrary(functions, spatiotemporal_grid=record.time)
        model = pysindy.SINDy(_optimizer(pysindy, options), functions, differentiation)
        model.fit(states, t=record.time, u=u)
        table = np.asarray(model.coefficients())
    names, distinct = problem.model.state_names, _distinct(library)
    values = np.array([table[names.index(term.state), distinct.index(term.function)] for term in library.terms])
    if not values.any():
        raise no_law(library, "the threshold removed all")
    return FoundLaw(library, tuple(int(i) for i in np.flatnonzero(values)), values, details={"engine": "pysindy"})


def _even_record(problem: Problem) -> Any:
    """The only record, evenly sampled and complete, as Savitzky-Golay smoothing needs it."""
    record = problem.records[0]
    steps = np.diff(record.time)
    even = bool(steps.max() < 1.01 * steps.min()) and bool(np.isfinite(record.values).all())
    if len(problem.records) == 1 and even:
        return record
    text = "PySINDy is given one record with even times and without missing values: clean it, or use the engine weak"
    raise ObjectionError(finding("needs_even_record", text))


def _states(problem: Problem, differentiation: Any) -> np.ndarray:
    """Measured states as they are, velocities from PySINDy's own differentiation: [samples, states]."""
    record = problem.records[0]

    def curve(output: int, time: np.ndarray, derivative: int = 0) -> np.ndarray:
        values = record.values[:, [output]]
        for _ in range(derivative):
            values = np.asarray(differentiation(values, time))
        return np.asarray(values[:, 0])

    curves = [partial(curve, j) for j in range(len(problem.outputs))]
    unknown = np.zeros(len(problem.model.parameters))
    return reconstruct(problem.model, problem.outputs).values(curves, record, record.time, unknown)


def _distinct(library: Library) -> list[Any]:
    return list(dict.fromkeys(term.function for term in library.terms))


class _Feature:
    """A term as PySINDy wants it: a function whose code object tells that it takes all states and inputs."""

    def __init__(self, function: Any, names: Sequence[str]) -> None:
        self._program = Program([function], [symbol(name) for name in names])
        self.__code__ = SimpleNamespace(co_argcount=len(names))

    def __call__(self, *x: Any) -> np.ndarray:
        values = [np.asarray(item) for item in x]
        return np.array(np.broadcast_to(np.asarray(self._program(np, values)[0], float), values[0].shape))


def _features(library: Library, problem: Problem) -> dict[str, list[Any]]:
    names = [*problem.model.state_names, *problem.model.input_names]
    functions = _distinct(library)
    return {"library_functions": [_Feature(function, names) for function in functions],
            "function_names": [partial(_named, str(function)) for function in functions]}  # fmt: skip


def _named(text: str, *_: str) -> str:
    return text


def _optimizer(pysindy: Any, options: Mapping[str, Any]) -> Any:
    threshold, alpha = options["threshold"], options["alpha"]
    made = {
        "stlsq": lambda: pysindy.STLSQ(threshold=threshold, alpha=alpha),
        "sr3": lambda: pysindy.SR3(reg_weight_lam=threshold**2 / 2, unbias=True),  # its L0 keeps what exceeds it
        "ssr": lambda: pysindy.SSR(alpha=alpha, kappa=threshold),
        "frols": lambda: pysindy.FROLS(alpha=alpha, kappa=threshold),
    }
    return made[options["optimizer"]]()


@contextmanager
def _quietly(seed: int) -> Iterator[None]:
    """PySINDy draws from NumPy's global generator, and warns where a threshold removes everything."""
    before = np.random.get_state()
    np.random.seed(seed)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        np.random.set_state(before)


PYSINDY = Variant(
    "PySINDy's optimisers",
    by_pysindy,
    (Option("form", "weak", "choice", "of PySINDy: weak, or strong with derivatives of the samples", choices=FORMS),
     Option("optimizer", "stlsq", "choice", "of PySINDy", choices=OPTIMIZERS),
     Option("threshold", 0.1, "number", "of PySINDy: coefficients below are removed", 0, 1e9),
     Option("alpha", 0.05, "number", "of PySINDy: ridge that pulls coefficients to zero", 0, 1e9),
     Option("window", 11, "integer", "of PySINDy: samples of its Savitzky-Golay smoothing, of third order", 5, 9999)),
)  # fmt: skip
