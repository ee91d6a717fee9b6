"""One case of the report, estimated over noise draws: by a fit of identikit, or by a procedure as it is printed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

import identikit as ik
from identikit_published.pendulum._swing import DAMPINGS, MODEL, NOISE, PARAMETERS, RELEASED, STIFFNESS, TIME, noisy
from identikit.result import PublishedFigure

KNOWN_START = {"theta": RELEASED, "omega": 0.0}
Procedure = Callable[[str, NDArray[np.float64]], Mapping[str, float]]
"""From a case, whose kind of damping is known, and its samples to the damping parameters."""


@dataclass(frozen=True)
class Study:
    """Estimates over noise draws.

    Arguments:
        values: {parameter: one estimate per draw}; bounds: {parameter: Cramer-Rao bound}, empty for a procedure, which
            has none of its own.
        last: the result of the last draw, where it was a fit.
    """

    case: str
    values: Mapping[str, NDArray[np.float64]]
    bounds: Mapping[str, float] = field(default_factory=dict)
    last: ik.Result | None = None

    def errors(self, name: str) -> NDArray[np.float64]:
        """In per cent of the true value, with sign."""
        return 100 * (self.values[name] / DAMPINGS[self.case][name] - 1)

    def error(self, name: str) -> float:
        """Root of the mean square of them: for one draw, its size."""
        return relative_error(self.values[name], DAMPINGS[self.case][name])

    def bound(self, name: str) -> float:
        """In per cent of the true value."""
        return 100 * self.bounds[name] / DAMPINGS[self.case][name]

    @property
    def result(self) -> ik.Result:
        """The last draw's, of a study by fits."""
        if self.last is None:
            raise TypeError(f"{self.case}: this study was made by a procedure, which leaves no result")
        return self.last


def fitted(case: str, values: NDArray[np.float64], method: str = "shooting", **asked: Any) -> ik.Result:
    """One fit of the case's damping and the stiffness, the first state unknown, unless more is said."""
    others = {name: 0.0 for name in PARAMETERS if name not in DAMPINGS[case]}
    return ik.fit(ik.Record.from_arrays(TIME, theta=values), MODEL, method=method, **{"fix": others, **asked})


def with_stiffness_known(case: str) -> dict[str, Any]:
    """What a fit is told where the report tells its procedure k and the kind of damping."""
    return {"fix": {"k": STIFFNESS, **{name: 0.0 for name in PARAMETERS if name not in DAMPINGS[case]}}}


def by_fits(case: str, seeds: Iterable[int], method: str = "shooting", noise: float = NOISE, **asked: Any) -> Study:
    """The case's dampings by a method of identikit, over noise draws."""
    results = [fitted(case, noisy(case, seed, noise), method, **asked) for seed in seeds]
    names = DAMPINGS[case]
    values = {name: np.array([result.value(name) for result in results]) for name in names}
    return Study(case, values, {name: mean_bound(results, name) for name in names}, results[-1])


def mean_bound(results: Sequence[ik.Result], name: str) -> float:
    """The Cramer-Rao bound of a parameter, mean over draws; NaN where a fit has none."""
    found = [result.parameters[name].crlb for result in results]
    return float(np.mean([np.nan if one is None else one for one in found]))


def relative_error(values: Sequence[float] | NDArray[np.float64], true: float) -> float:
    """Root of the mean square of estimates about the true value, in per cent of it."""
    return float(100 * np.sqrt(np.mean((np.asarray(values) / true - 1) ** 2)))


def by_procedure(case: str, seeds: Iterable[int], procedure: Procedure, noise: float = NOISE) -> Study:
    """The case's dampings by a procedure as printed, over the same noise draws."""
    found = [procedure(case, noisy(case, seed, noise)) for seed in seeds]
    return Study(case, {name: np.array([one[name] for one in found]) for name in DAMPINGS[case]})


def error_rows(
    case: str,
    printed: Mapping[str, float | str],
    as_printed: Study,
    best: Study | None,
    notes: Mapping[str, str] | None = None,
    label: str = "",
) -> list[PublishedFigure]:
    """A row per damping parameter of the case: the error in per cent, printed and here, and the bound.

    Without `best` the bound is that of the procedure's own records.
    """
    bounds = best or as_printed
    return [
        PublishedFigure(
            label or case,
            f"error of {name}",
            "%",
            printed[name],
            as_printed.error(name),
            None if best is None else best.error(name),
            bounds.bound(name) if bounds.bounds else None,
            (notes or {}).get(name, ""),
        )
        for name in DAMPINGS[case]
    ]


def value_rows(
    case: str,
    printed: Mapping[str, float],
    as_printed: Study,
    best: Study | None,
    notes: Mapping[str, str] | None = None,
    label: str = "",
) -> list[PublishedFigure]:
    """A row per damping parameter of the case: the estimate itself, mean over the draws; `best` None if there is none.

    The bound is the standard deviation of one draw that no unbiased estimate from the same record can go below.
    """
    bounds = (best or as_printed).bounds
    return [
        PublishedFigure(
            label or case,
            name,
            "1/s" if name == "zeta" else "",
            printed[name],
            float(as_printed.values[name].mean()),
            None if best is None else float(best.values[name].mean()),
            bounds.get(name),
            (notes or {}).get(name, ""),
        )
        for name in DAMPINGS[case]
    ]
