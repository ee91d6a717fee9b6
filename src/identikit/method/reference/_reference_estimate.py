"""From a problem to the matrix and the parameters in it, by reference points; what `reference_points` judges.

With structure=none all entries of A are unknown; with structure=conservative A = [0 I; -K 0] and K is. The parameters
of the model are those whose matrix is nearest to the one found, by its covariance (minimum distance); connected points
are then fitted once more with the model's own parameters in A.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from identikit.method.reference._linear_matrix import LinearForm, Pattern, linear_form, measured_states
from identikit.method.reference._local_fits import LocalFits
from identikit.method.reference._reference_modes import amplitudes, condition, modes, warnings_of_points
from identikit.method.reference._reference_plan import plan_reference_points
from identikit.method.reference._reference_points_choice import Wanted, choose, window_bias
from identikit.method.reference._reference_solve import Solved, by_slopes, connected, noise_of
from identikit.method.reference._settings import REFERENCE
from identikit.numerics import bounded_least_squares, middle, search, standard_errors, whitening
from identikit.problem import Problem
from identikit.progress import Progress
from identikit.result import Finding, finding


@dataclass(frozen=True)
class ReferenceEstimate:
    """The problem as it was solved, the matrix with its covariance, and the parameters with their standard errors."""

    problem: Problem
    form: LinearForm
    pattern: Pattern
    solved: Solved
    fits: Sequence[LocalFits]
    sigma: np.ndarray
    options: Mapping[str, Any]
    p: np.ndarray
    deviation: np.ndarray

    @property
    def _matrix(self) -> tuple[np.ndarray, np.ndarray]:
        return self.pattern.matrix(self.solved.q)

    @property
    def _spacing(self) -> float:
        steps = np.concatenate([np.diff(fit.at) for fit in self.fits])
        return float(np.median(steps)) if len(steps) else 0.0

    @property
    def _half(self) -> float:
        return float(np.median(np.concatenate([fit.half for fit in self.fits])))

    def findings(self) -> tuple[Finding, ...]:
        """What to be warned of in the choice of the points."""
        if not self._spacing:
            return ()
        overlapping = any(
            bool(np.any(np.diff(fit.at) < (fit.half[1:] + fit.half[:-1]) * (1 - 1e-6))) for fit in self.fits
        )
        cond = condition([fit.value for fit in self.fits])
        return warnings_of_points(self._matrix[0], cond, self._spacing, self._half, overlapping)

    def diagnostics(self) -> dict[str, Any]:
        A, slopes = self._matrix
        found = modes(A, slopes, self.solved.covariance)
        cond = condition([fit.value for fit in self.fits])
        spread = np.zeros(A.shape)
        for k, place in enumerate(self.pattern.places):
            spread[place] = np.sqrt(max(self.solved.covariance[k, k], 0.0))
        return {
            "reference_points": {
                "count": sum(fit.count for fit in self.fits),
                "spacing": self._spacing,
                "window": self._half,
                "condition": cond,
                "noise": dict(zip(self.problem.model.state_names, self.sigma.tolist(), strict=True)),
            },
            "matrix": A.tolist(),
            "matrix_std": spread.tolist(),
            "frequencies": [mode.frequency for mode in found if mode.frequency > 0],
            "frequency_std": [mode.frequency_std for mode in found if mode.frequency > 0],
            "modes": [mode.as_dict() for mode in found],
            "plan": self._plan(A),
        }

    def _plan(self, A: np.ndarray) -> dict[str, Any] | None:
        """A better experiment with as many samples; None for systems so large that planning would take longer."""
        if len(A) > REFERENCE.most_planned or not np.any(np.abs(np.linalg.eigvals(A)) > 1e-9):
            return None
        samples = sum(int(np.max(fit.spare)) for fit in self.fits) // len(A)
        degree = self.options["degree"]
        if samples < 4 * (degree + 1):
            return None
        first, sigma = self.solved.first[0], float(np.sqrt(np.mean(self.sigma**2)))
        plan = plan_reference_points(A, initial=first, sigma=sigma, samples=samples, degree=degree)
        return {**asdict(plan), "sentence": str(plan)}

    def artifacts(self) -> dict[str, dict[str, Any]]:
        """The amplitudes of every mode in every state, as a table per record."""
        A, slopes = self._matrix
        found = modes(A, slopes, self.solved.covariance)
        made: dict[str, dict[str, Any]] = {}
        for record, fit, first in zip(self.problem.records, self.fits, self.solved.first, strict=True):
            rows = []
            for mode, part in zip(found, amplitudes(A, first), strict=True):
                rows.append(["cos", mode.frequency, mode.rate, *part["cos"]])
                if mode.frequency > 0:
                    rows.append(["sin", mode.frequency, mode.rate, *part["sin"]])
            made[f"amplitudes, {record.name}"] = {
                "kind": "table",
                "record": record.name,
                "origin": float(fit.at[0]),
                "columns": ["part", "frequency", "rate", *self.problem.model.state_names],
                "rows": rows,
            }
        return made


def estimate_matrix(
    problem: Problem, options: Mapping[str, Any], seed: int, progress: Progress
) -> ReferenceEstimate | Finding:
    """The estimate, or why there is none; `options` are those of the method, settled."""
    form = linear_form(problem.model, problem.free)
    assert form is not None  # objections were asked
    conservative = options["structure"] == "conservative"
    if conservative:
        reduced = _conservative(problem, form)
        if isinstance(reduced, Finding):
            return reduced
        problem, form = reduced
    pattern = Pattern.conservative(form.size) if conservative else Pattern.full(form.size)
    solving = progress.stage("solving", 0.0, 1.0, "local regressions around the reference points")
    wanted = Wanted(options["degree"], options["spacing"], options["window"], options["points"], options["connect"])
    fits = choose(_series(problem), wanted)
    if lack := _too_few_points(fits, form.size, wanted):
        return lack
    sigma = noise_of(fits)
    solved = by_slopes(fits, pattern, sigma)
    unbounded = np.full(len(solved.q), np.inf)
    joined = None
    if options["connect"]:
        joined = connected(fits, pattern.matrix, solved.q, sigma, (-unbounded, unbounded), solving.part(0.0, 0.5))
    if joined is None:
        bias = window_bias(fits, pattern, solved.q, sigma)
        solved = replace(solved, covariance=solved.covariance + np.diag(bias**2))
    else:
        solved = joined
    names = [form.own_entry.get(place) for place in pattern.places]
    if None not in names and len(names) == len(problem.free):
        order = [names.index(name) for name in problem.free]
        p, deviation = np.clip(solved.q[order], *_limits(problem)), np.sqrt(np.diag(solved.covariance))[order]
    else:
        p, deviation = _nearest(problem, form, pattern, solved, seed)
        if joined is not None and solving(0.5, "the parameters of the model") is not False:
            final = connected(
                fits, lambda q: form(problem.vector(q)), p, sigma, _limits(problem), solving.part(0.5, 1.0)
            )
            if final is not None:
                p, deviation = final.q, np.sqrt(np.diag(final.covariance))
    return ReferenceEstimate(problem, form, pattern, solved, fits, sigma, options, p, deviation)


def _series(problem: Problem) -> list[tuple[np.ndarray, list[np.ndarray]]]:
    """Times and states of every record."""
    shown = [found for found in measured_states(problem) if found is not None]
    return [(record.time, [record.values[:, j] / factor for j, factor in shown]) for record in problem.records]


def _too_few_points(fits: Sequence[LocalFits], size: int, wanted: Wanted) -> Finding | None:
    count = sum(fit.count for fit in fits)
    if count >= size:
        return None
    needed = REFERENCE.enough * (wanted.degree + 1)
    text = (
        f"only {count} window{'' if count == 1 else 's'} with at least {needed} samples of every "
        f"state, for {size} states: as many reference points are needed; use a longer or denser record, a lower "
        "degree, or another spacing and window"
    )
    return finding("too_few_windows", text)


def _conservative(problem: Problem, form: LinearForm) -> tuple[Problem, LinearForm] | Finding:
    """The problem with the entries that [0 I; -K 0] knows fixed; or why the model cannot have that structure."""
    if form.size % 2:
        text = f"structure=conservative needs as many velocities as positions; the model has {form.size} states"
        return finding("structure_contradicted", text)
    pattern = Pattern.conservative(form.size)
    known: dict[str, float] = {}
    matrix, slopes = form(problem.vector(middle(*_limits(problem))))
    for i in range(form.size):
        for j in range(form.size):
            if (i, j) in pattern.places:
                continue
            wanted = float(pattern.base[i, j])
            if (i, j) in form.own_entry:
                known[form.own_entry[i, j]] = wanted
            elif np.any(slopes[:, i, j]) or not np.isclose(matrix[i, j], wanted, rtol=1e-9, atol=1e-12):
                acting, moved = problem.model.state_names[j], problem.model.state_names[i]
                text = (
                    f"structure=conservative asks for A = [0 I; -K 0], positions first, then velocities; in this model "
                    f"the effect of {acting} on {moved}' is not {wanted:g}"
                )
                return finding("structure_contradicted", text, acting, moved)
    free = tuple(name for name in problem.free if name not in known)
    if not free:
        text = "structure=conservative leaves no parameter free: free some entry of K"
        return finding("structure_contradicted", text)
    reduced = replace(
        problem,
        free=free,
        fixed={**problem.fixed, **known},
        bounds={name: problem.bounds[name] for name in free},
        start={name: value for name, value in problem.start.items() if name in free},
    )
    again = linear_form(problem.model, free)
    assert again is not None
    return reduced, again


def _limits(problem: Problem) -> tuple[np.ndarray, np.ndarray]:
    low = np.array([problem.bounds[name][0] for name in problem.free])
    return low, np.array([problem.bounds[name][1] for name in problem.free])


def _nearest(
    problem: Problem, form: LinearForm, pattern: Pattern, solved: Solved, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Parameters whose matrix lies nearest to the one found, measured by its covariance; and their standard errors."""
    low, high = _limits(problem)
    root = whitening(solved.covariance).T
    places = tuple(np.array(pattern.places).T)

    def rows(p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        A, slopes = form(problem.vector(p))
        return (A[places] - solved.q) @ root, (slopes[:, places[0], places[1]] @ root).T

    start = middle(low, high)
    if form.affine:
        r, slopes = rows(start)
        p = start + bounded_least_squares(slopes, -r, low - start, high - start)
    else:
        given = np.array([problem.start.get(name, np.nan) for name in problem.free])
        every = range(len(start))
        p = search(
            rows, start, every, low, high, given=given, count=REFERENCE.draws, best=REFERENCE.refined, seed=seed
        )[0].p
    return p, standard_errors(rows(p)[1])
