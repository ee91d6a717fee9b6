"""Which terms of a library make up the law: best subset in the weak form, with the noise's own covariance.

The weak form of the whole library is linear in its coefficients c. Linearised at states x and coefficients c0 as in
`ErrorsInVariables`, its whitened residuals are those of all laws at once,

    w(c) = S^-1/2 [ r(x, c0) + L(c0) (y - x) + J(x) (c - c0) ],

so that |w|^2 of every subset of terms follows from one triangular factor; the subset with the least

    |w(c)|^2 / noise + (ln(samples) + 2 ln(terms in the library)) * (terms in the law)

is found by branch and bound (`best_subsets`): no threshold is set. The states matter more than anything else:
regressors on smoothed samples hold the smoothing's error, on raw ones the noise. So they are taken from the law itself:
choose terms, clear the states of what the law does not admit, choose again, until nothing changes. S, L and the
reversals of dry friction follow the cleared states.

That iteration has two beginnings, since a wrong law may clear the states so that it stays the best: with the states
cleared by the whole library, which holds the law but may be close to singular, and with the samples' own smooth curves.
Where they end differently, the lesser criterion counts: sums of squares of cleared states are log-likelihoods.

References: S. L. Brunton, J. L. Proctor, J. N. Kutz, PNAS 113 (2016) 3932 (SINDy); D. A. Messenger, D. M. Bortz, J.
Comput. Phys. 443 (2021) 110525 (weak form); J. Chen, Z. Chen, Biometrika 95 (2008) 759 (the criterion: Schwarz's, with
a price for having been chosen among many).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from identikit.errors import IdentikitError
from identikit.likelihood import smooth_curves
from identikit.method._base import ObjectionError
from identikit.method.sparse._library import library_of
from identikit.method.sparse._settings import SPARSE
from identikit.method.weak_form._errors_in_variables import ErrorsInVariables, Linear
from identikit.method.weak_form._posed_form import record_settings
from identikit.method.weak_form._settings import GALERKIN
from identikit.method.weak_form._thinning import thinned
from identikit.method.weak_form._weak_curves import FittedCurves
from identikit.method.weak_form._weak_equations import weak_equations
from identikit.method.weak_form._weak_form import Setting
from identikit.numerics import BestSubsets, Information, best_subsets, column_sizes
from identikit.oscillation import turning_points
from identikit.problem import Observed, Problem
from identikit.progress import Cancelled, Progress
from identikit.result import finding

MOST_TURNS = 2  # turning points that noise and the ends of a record may make


@dataclass(frozen=True)
class Selection:
    """The chosen terms and all that speaks for them.

    Arguments:
        values: coefficients of all terms, zero for those that were not chosen.
        subsets: all subsets within a margin of the best.
        rows: [rows, 1 + terms] whitened, the right side first: w = rows[:, 0] + rows[:, 1:] c, over the noise.
        records: which record each row belongs to.
        price: of a term.
        misfit: rms of w for the chosen terms before it is divided by the noise; about 1 if the library holds the law.
        settled: whether the terms stayed the same in the end.
    """

    values: np.ndarray
    subsets: BestSubsets
    rows: np.ndarray
    records: np.ndarray
    price: float
    misfit: float
    settled: bool

    @property
    def chosen(self) -> tuple[int, ...]:
        return self.subsets.best.chosen

    @property
    def criterion(self) -> float:
        """With the noise that the curves show, which is the same for every way to get here."""
        count = len(self.chosen)
        return self.misfit**2 * (len(self.rows) - count) + self.price * count

    @property
    def deviation(self) -> np.ndarray:
        """Standard errors of the chosen coefficients."""
        return Information.of_rows(self.rows[:, [1 + i for i in self.chosen]]).standard_errors


def select(problem: Problem, kept: tuple[int, ...], progress: Progress, rows_per_term: float = 1.0) -> Selection:
    """The best law for a problem whose model is a library: all its free parameters are coefficients of terms.

    Arguments:
        kept: terms that are in the law whatever the record says.
        progress: told in every round; asked to stop, the best so far is returned, or Cancelled raised without one.
        rows_per_term: independent equations that the record has to be worth for every term.
    """
    form = _LibraryForm(problem, rows_per_term)
    found: list[Selection] = []
    beginnings = (form.by_everything, form.by_curves)
    for beginning, part in zip(beginnings, (progress.part(0.0, 0.5), progress.part(0.5, 1.0)), strict=True):
        try:
            found.append(form.alternated(*beginning(part.part(0.0, 0.3)), kept, part.part(0.3, 1.0)))
        except Cancelled:
            if not found:
                raise
            break
    return min(found, key=lambda item: (not item.settled, item.criterion))


def fitted(rows: np.ndarray, chosen: tuple[int, ...]) -> np.ndarray:
    """Least-squares coefficients of all terms, those that are not chosen zero."""
    values = np.zeros(rows.shape[1] - 1)
    if chosen:
        columns = rows[:, [1 + i for i in chosen]]
        sizes = column_sizes(columns)
        values[list(chosen)] = np.linalg.lstsq(columns / sizes, -rows[:, 0], rcond=1e-12)[0] / sizes
    return values


def rows_about(problem: Problem, values: np.ndarray, progress: Progress) -> np.ndarray:
    """[rows, 1 + terms] as in `Selection`, not divided by the noise, with the states cleared by the law of these
    coefficients: what terms beside it would be worth, without any choice."""
    form = _LibraryForm(problem, 0.0)
    curves, _ = form.by_curves(progress)
    for _ in range(SPARSE.rounds_about):
        parts = form.rows(curves, values)[0]
        curves = form.cleared(parts, np.zeros(len(values)))
    return form.rows(curves, values)[1]


class _LibraryForm:
    """The weak form of a library on its records."""

    def __init__(self, problem: Problem, rows_per_term: float) -> None:
        curves = smooth_curves(problem)
        equations = weak_equations(problem.model, problem.outputs, problem.free)
        thin = thinned(problem, record_settings(problem, equations, curves), curves)
        spacings = _spacings(thin.settings, len(problem.free))
        self.form = ErrorsInVariables(thin.problem, equations, thin.settings, spacings)
        self.sigma = thin.settings[0].sigma
        self.outputs = problem.outputs
        self.terms, self.price = len(problem.free), math.log(problem.samples) + 2 * math.log(len(problem.free))
        self.fewest_rows = max(self.terms + SPARSE.fewest_rows, math.ceil(rows_per_term * self.terms))

    def by_curves(self, progress: Progress) -> tuple[list[FittedCurves], np.ndarray]:
        """States from the samples alone."""
        _heard(progress, 0.0, "smoothing")
        return self.form.through(self.form.measured), np.zeros(self.terms)

    def by_everything(self, progress: Progress) -> tuple[list[FittedCurves], np.ndarray]:
        """States cleared by all terms together."""
        curves, values = self.by_curves(progress)
        best = (np.inf, curves, values)
        for index in range(SPARSE.full_rounds):
            _heard(progress, index / SPARSE.full_rounds, "clearing the states with all terms")
            parts, rows, _ = self.rows(curves, values)
            sizes = column_sizes(rows[:, 1:])
            solved = np.linalg.lstsq(rows[:, 1:] / sizes, -rows[:, 0], rcond=SPARSE.truncated)[0] / sizes
            curves = self.cleared(parts, solved - values)
            values = solved
            squares = float(np.mean((rows[:, 0] + rows[:, 1:] @ values) ** 2))
            if squares < best[0]:
                best = (squares, curves, values)
            if squares < SPARSE.noise_like:
                break
        return best[1], best[2]

    def alternated(
        self, curves: list[FittedCurves], values: np.ndarray, kept: tuple[int, ...], progress: Progress
    ) -> Selection:
        """Terms and states in turn."""
        last: Selection | None = None
        for index in range(SPARSE.rounds):
            _heard(progress, index / SPARSE.rounds, f"choosing terms, round {index + 1}")
            parts, rows, records = self.rows(curves, values)
            self._check(rows)
            found = self._chosen(rows, records, kept, last)
            if found.settled:
                proven = self._chosen(rows, records, kept, found, thorough=True)
                if proven.settled:
                    return proven
                found = proven
            curves = self.cleared(parts, found.values - values)
            values, last = found.values, found
        return replace(self._chosen(rows, records, kept, None, thorough=True), settled=False)

    def _check(self, rows: np.ndarray) -> None:
        if len(rows) < self.fewest_rows:
            text = (
                f"the record is worth {len(rows)} independent equations, too few to choose among {self.terms} terms: "
                "measure longer, or with more samples in each oscillation, or take fewer terms"
            )
            raise ObjectionError(finding("too_few_equations", text, *self.outputs))

    def _chosen(
        self,
        rows: np.ndarray,
        records: np.ndarray,
        kept: tuple[int, ...],
        last: Selection | None,
        thorough: bool = False,
    ) -> Selection:
        """The best subset on these rows; `thorough` proves it and finds all rivals, else a local search has to do."""
        everything = rows[:, 0] + rows[:, 1:] @ fitted(rows, tuple(range(self.terms)))
        spare = len(rows) - self.terms
        noise = max(float(everything @ everything) / max(spare, 1), 0.0 if spare >= SPARSE.fewest_spare else 1.0)
        scaled = rows / np.sqrt(noise)
        effort = (SPARSE.margin, kept, SPARSE.most_branches) if thorough else (0.0, kept, 0)
        subsets = best_subsets(scaled, self.price, *effort)
        misfit = float(np.sqrt(noise * subsets.best.squares / max(len(rows) - len(subsets.best.chosen), 1)))
        settled = (
            last is not None
            and last.chosen == subsets.best.chosen
            and abs(last.subsets.best.criterion - subsets.best.criterion) < SPARSE.settled
        )
        values = fitted(rows, subsets.best.chosen)
        return Selection(values, subsets, scaled, records, self.price, misfit, settled)

    def rows(self, curves: list[FittedCurves], values: np.ndarray) -> tuple[list[Linear], np.ndarray, np.ndarray]:
        parts = self.form.linearised(curves, values, self.sigma)
        rows = np.concatenate([part.white for part in parts])
        rows[:, 0] -= rows[:, 1:] @ values
        records = np.repeat(np.arange(len(parts)), [len(part.white) for part in parts])
        used = rows.any(axis=1)  # test functions over gaps and rests are left out, and count for nothing
        return parts, rows[used], records[used]

    def cleared(self, parts: list[Linear], step: np.ndarray) -> list[FittedCurves]:
        return self.form.through(self.form.admitted(parts, step, self.sigma))


def _spacings(settings: Sequence[Setting], terms: int) -> list[float]:
    """Time between knots: as the smooth curves ask for, but fine enough that a short or slow record tells the terms
    apart, and with samples between knots. Test functions over a gap are left out, so that a gap does not coarsen the
    rest."""
    count = max(1, math.ceil(SPARSE.knots_per_term * terms / len(settings)))
    found = []
    for setting in settings:
        span, step = float(np.ptp(setting.record.time)), _usual_step(setting.record)
        wanted = min(GALERKIN.resolution * setting.resolution, span / count)
        least = GALERKIN.fewest_between_knots * step
        if span < SPARSE.rows_per_term * terms * least / len(settings):
            least = step  # yearly counts: a knot at every sample is all there is
        found.append(max(wanted, least))
    return found


def _usual_step(record: Observed) -> float:
    """Time between samples of the sparsest output that nine in ten do not exceed."""
    return max(
        float(np.quantile(np.diff(record.time[np.isfinite(column)]), SPARSE.usual_step)) for column in record.values.T
    )


def _heard(progress: Progress, fraction: float, sentence: str) -> None:
    if progress(fraction, sentence) is False:
        raise Cancelled


def first_order_suffices(problem: Problem, progress: Progress) -> bool:
    """Whether x' = f(x, u) describes the records of one state x as far as polynomials can tell.

    Without an input such a motion never turns back; with one, or where it does not turn, the best polynomial law tells
    by what it leaves over.
    """
    try:
        if not problem.model.inputs:
            for record, (curve,) in zip(problem.records, smooth_curves(problem), strict=True):
                if len(turning_points(record.time, curve(record.time)).time) > MOST_TURNS:
                    return False
        library = library_of(problem, "polynomial")
        selection = select(problem.with_law(library.model), (), progress)
    except (Cancelled, IdentikitError, ObjectionError):  # who is stopped here is stopped again in what follows
        return False
    return selection.settled and selection.misfit < SPARSE.first_order
