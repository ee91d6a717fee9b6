"""What noise of the samples does to the residuals of a weak form.

To first order the residuals of all test functions and equations move by r = L e with the samples' noise e. A term
c int w^(q) y gives c h w^(q)(t_k) at sample k. A nonlinear term int w g(x, x', ...) gives sum_d int w g_d e^(d) with
g_d its derivative with respect to the d-th derivative of the curve, and by parts sum_d (-1)^d int (w g_d)^(d) e. So

    L_(l i),(k j) = h_jk sum_q A_ijq(t_k) w_l^(q)(t_k),        S = L diag(sigma_j^2) L'.

S couples neighbouring test functions and all equations that share a measurement; it is banded.

References: D. M. Bortz, D. A. Messenger, V. Dukic, Bull. Math. Biol. 85 (2023) 110 (WENDy); N. Rummel et al., WENDy for
nonlinear-in-parameters ODEs, arXiv:2502.08881 (2025).
"""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np

from identikit.method.weak_form._settings import GALERKIN
from identikit.method.weak_form._weak_equations import WeakEquations
from identikit.method.weak_form._weak_form import RecordForm, WeakForm
from identikit.problem import Problem


class NoiseOperator:
    """L of one record at given parameters, over the equations' scale: as an operator, and S as a banded factor."""

    @np.errstate(all="ignore")  # as for the residuals themselves
    def __init__(
        self, problem: Problem, equations: WeakEquations, form: RecordForm, p: np.ndarray, scale: np.ndarray
    ) -> None:
        self.form, self.scale, self.count = form, scale, equations.count
        self.factors: dict[tuple[int, int, int], Any] = {}  # (equation, output, q) -> A, a number or [samples]
        full = list(problem.vector(p))
        program, entries = equations.coefficients
        for value, entry in zip(program(np, full), entries, strict=True):
            if entry.parameter is None:
                self._add(entry.equation, *entry.place, value)
        program, entries = equations.sensitivities
        if entries:
            time, points = form.setting.record.time, form.values[0]
            slopes = program(np, [*form.values, *full])
            for changing, entry in zip(form.table(slopes), entries, strict=True):
                shift = 1 if entry.kind == "flux" else 0
                output, d = entry.place
                for q in range(d, -1, -1):  # - (-1)^d (w g)^(d) = - (-1)^d sum_q (d over q) w^(q) g^(d-q)
                    at_samples = np.interp(time, points, changing)
                    self._add(entry.equation, output, q + shift, -((-1) ** d) * comb(d, q) * at_samples)
                    changing = np.gradient(changing, points) if q > 0 else changing
        self.orders = sorted({q for _, _, q in self.factors})

    def _add(self, equation: int, output: int, q: int, value: Any) -> None:
        self.factors[equation, output, q] = self.factors.get((equation, output, q), 0.0) + value

    @np.errstate(all="ignore")
    def forward(self, noise: np.ndarray) -> np.ndarray:
        """L e for e [outputs, samples]: [equations, tests]."""
        weighted = noise * self.form.sample_weights
        found = np.zeros((self.count, self.form.tests.splines + 2 * self.form.tests.degree))
        for q in self.orders:
            columns = np.zeros((self.count, weighted.shape[1]))
            for (i, j, order), value in self.factors.items():
                if order == q:
                    columns[i] += value * weighted[j]
            found += (self.form.samples.operator(q).T @ columns.T).T
        return self.form.tests.gathered(found.T).T * self.form.kept / self.scale[:, None]

    @np.errstate(all="ignore")
    def adjoint(self, values: np.ndarray) -> np.ndarray:
        """L' v for v [equations, tests, columns]: [outputs, samples, columns]."""
        scaled = values * self.form.kept[:, None] / self.scale[:, None, None]
        outputs, samples = self.form.sample_weights.shape
        found = np.zeros((outputs, samples, values.shape[2]))
        for i in range(self.count):
            splines = self.form.tests.scattered(scaled[i])
            for q in self.orders:
                mine = {j: value for (n, j, order), value in self.factors.items() if n == i and order == q}
                if not mine:
                    continue
                at_samples = self.form.samples.operator(q) @ splines
                for j, value in mine.items():
                    found[j] += np.reshape(value, (-1, 1)) * at_samples
        return found * self.form.sample_weights[:, :, None]

    def factor(self, sigma: np.ndarray) -> Any:
        """Lower banded Cholesky factor of S, unknowns ordered test by test; for test functions that are single splines.

        Assembled interval by interval, as finite elements are: the degree + 1 splines over one interval meet the
        samples in it.
        """
        from scipy.linalg import cholesky_banded

        tests, order = self.form.tests, self.form.tests.degree + 1
        assert len(tests.combination) == 1
        weights = self.form.sample_weights * sigma[:, None]
        where = tests.interval(self.form.setting.record.time)
        counts = np.bincount(where, minlength=tests.intervals)
        starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
        block, outputs = order * self.count, len(sigma)
        bands = np.zeros((tests.intervals + order, order, self.count, self.count))  # [first test, lag, row, column]
        basis = {q: self.form.samples.basis(q) for q in self.orders}
        for begin in range(0, tests.intervals, GALERKIN.chunk):
            end = min(begin + GALERKIN.chunk, tests.intervals)
            most = max(1, int(counts[begin:end].max()))
            position = starts[begin:end, None] + np.arange(most)
            present = np.arange(most) < counts[begin:end, None]
            position = np.where(present, position, 0)
            element = np.zeros((end - begin, order, self.count, outputs, most))
            for (i, j, q), value in self.factors.items():
                here = weights[j][position] * present
                here = here * (value[position] if np.ndim(value) else value) / self.scale[i]
                element[:, :, i, j] += here[:, None, :] * basis[q][position].transpose(0, 2, 1)
            flat = element.reshape(end - begin, block, outputs * most)
            square = (flat @ flat.transpose(0, 2, 1)).reshape(end - begin, order, self.count, order, self.count)
            for r in range(order):
                for c in range(r + 1):
                    bands[begin + c : end + c, r - c] += square[:, r, :, c]
        bands = bands[tests.degree : tests.degree + tests.count]
        kept = self.form.kept
        for lag in range(order):
            both = kept[: len(kept) - lag] & kept[lag:] if lag < len(kept) else np.zeros(0, bool)
            bands[: len(both), lag] *= both[:, None, None]
            bands[len(both) :, lag] = 0.0
        size = self.count * tests.count
        banded = np.zeros((block, size))
        for lag in range(order):
            for row in range(self.count):
                for column in range(self.count):
                    band = lag * self.count + row - column
                    if band >= 0:
                        banded[band, column :: self.count] = bands[:, lag, row, column]
        diagonal = banded[0]
        diagonal[~np.repeat(kept, self.count)] = 1.0
        if not size:  # a record too short for a single test function, among longer ones
            return banded
        diagonal += GALERKIN.diagonal_lift * diagonal.max()
        return cholesky_banded(banded, lower=True, overwrite_ab=True, check_finite=False)


def excess(form: WeakForm, p: np.ndarray) -> float:
    """How many times larger residuals are than one draw of noise makes them, for the worst equation; medians.

    Medians, since wrong parameters may put part of a record where the equations are next to singular, and noise counts
    for anything there.
    """
    random = np.random.default_rng(0)
    found, drawn = [], []
    for part, (rows, _) in zip(form.forms, form.tables(p), strict=True):
        draw = random.standard_normal(part.sample_weights.shape) * part.setting.sigma[:, None]
        moved = NoiseOperator(form.problem, form.equations, part, p, form.scale).forward(draw)
        found.append(np.abs(rows[:, part.kept]))
        drawn.append(np.abs(moved[:, part.kept]))
    noise = np.median(np.concatenate(drawn, axis=1), axis=1)
    ratio = np.median(np.concatenate(found, axis=1), axis=1) / np.maximum(noise, 1e-300)
    return float(np.max(np.where(np.isfinite(ratio), ratio, np.inf)))


def whitened(factor: Any, columns: np.ndarray) -> np.ndarray:
    """F^-1 c for the banded factor F, columns [unknowns, ...]."""
    from scipy.linalg.lapack import dtbtrs

    return np.asarray(dtbtrs(factor, columns, uplo="L")[0]) if len(columns) else columns


def weighted(factor: Any, columns: np.ndarray) -> np.ndarray:
    """S^-1 c."""
    from scipy.linalg import cho_solve_banded

    return np.asarray(cho_solve_banded((factor, True), columns, check_finite=False)) if len(columns) else columns
