"""Training of a network inside an equation: multiple shooting over its weights, and the size of their prior by evidence.

The weights are parameters beside the model's own, with a normal prior of mean zero and standard deviation s, and all are
found by Gauss-Newton over segments that are tied together at the end (`likelihood/`). How large s is, the record says:
where its evidence is largest,

    s^2 = sum w_j^2 / g,        g = weights - trace(C) / s^2,

with C the weights' covariance and g the number of weights that the record determines.

Reference: D. J. C. MacKay, Bayesian interpolation, Neural Computation 4 (1992) 415-447.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import sympy as sp

from identikit.likelihood import LIKELIHOOD, Outcome, Preparation, reconstruct
from identikit.method._misfit import Misfit
from identikit.method._noise_refit import refitted
from identikit.method._report import MethodReport
from identikit.method._residual_check import residual_tests
from identikit.method._robustness import widening_of
from identikit.method.multiple_shooting import Start, starts
from identikit.method.network._training import Entry, Loss
from identikit.method.unknown_term._settings import NEURAL_ODE
from identikit.method.unknown_term._term_network import TermNetwork
from identikit.method.unknown_term._unknown_term import UnknownTerm
from identikit.model import Program, Relabelling, symbol
from identikit.numerics import Information
from identikit.problem import Problem
from identikit.progress import Cancelled, Progress


@dataclass(frozen=True)
class TrainedTerm:
    """A network at the end of its training.

    Arguments:
        network: what stands for the term.
        problem: with the network inside; the record where it moves.
        preparation, outcome: of the last fit.
        covariance: of everything free, the weights last; as wide as the residuals ask for.
        spread: the prior's standard deviation; determined: how many weights the record tells.
        history: losses and parameters, step by step; `stage` counts the fits.
    """

    network: TermNetwork
    problem: Problem
    preparation: Preparation
    outcome: Outcome
    covariance: np.ndarray
    spread: float
    determined: float
    history: tuple[Entry, ...]

    @property
    def own(self) -> int:
        """How many of the free parameters are the model's own; they come first."""
        return len(self.problem.free) - len(self.network.weights)

    @property
    def weights(self) -> np.ndarray:
        return self.outcome.p[self.own :]

    @property
    def settled(self) -> bool:
        return self.outcome.converged and not self.outcome.stopped

    def values(self, columns: dict[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """The term and its standard error at values of its variables."""
        rows = self.network.table(columns)
        own = self.covariance[self.own :, self.own :]
        return rows @ self.weights, np.sqrt(np.maximum(np.einsum("ij,jk,ik->i", rows, own, rows), 0.0))


def train(
    problem: Problem, preparation: Preparation, term: UnknownTerm, seed: int, progress: Progress
) -> TrainedTerm | None:
    """Train a network in the place of the term; None if the equations cannot be integrated from any start.

    Stopped, the best so far is returned; Cancelled is raised where there is none.
    """
    moving = _while_moving(problem, preparation)
    found: _Fit | None = None
    tries = zip(range(NEURAL_ODE.most_starts), starts(problem, preparation, seed), progress.attempts(), strict=False)
    for _, start, attempt in tries:
        network, p, spread = _begun(problem, preparation, term, start, seed)
        try:
            fit = _first_fit(network, moving, p, spread, attempt)
        except Cancelled:
            if found is None:
                raise
            break
        if fit is not None and (found is None or fit.rank < found.rank):
            found = fit
        if found is not None and (found.outcome.converged or found.outcome.stopped):
            break
    if found is None:
        return None
    for attempt, _ in zip(progress.part(0.5, 1.0).attempts(), range(NEURAL_ODE.evidence_rounds), strict=False):
        spread = found.likelier_spread
        if not found.outcome.converged or abs(spread / found.spread - 1) < NEURAL_ODE.evidence_settled:
            break
        again = found.again(spread, attempt)
        if again is None:
            break
        found = again
    looser = found.again(NEURAL_ODE.undersmoothing * found.spread, progress) if found.outcome.converged else None
    return (looser or found).trained(progress)


@dataclass(frozen=True)
class _Fit:
    """One fit with a prior of a given size."""

    network: TermNetwork
    preparation: Preparation
    outcome: Outcome
    spread: float
    history: tuple[Entry, ...]

    @property
    def rank(self) -> tuple[bool, float]:
        return not self.outcome.converged, self.outcome.misfit

    @property
    def covariance(self) -> np.ndarray:
        return Information.of_rows(self.outcome.information_rows).covariance

    @property
    def _shrunk(self) -> np.ndarray:
        free = self.preparation.problem.free
        return np.array([free.index(name) for name in self.network.shrunk])

    @property
    def determined(self) -> float:
        own = self._shrunk
        return float(len(own) - np.trace(self.covariance[np.ix_(own, own)]) / self.spread**2)

    @property
    def likelier_spread(self) -> float:
        """By one step of MacKay's formula."""
        squares = float(np.sum(self.outcome.p[self._shrunk] ** 2))
        found = np.sqrt(squares / max(self.determined, NEURAL_ODE.least_determined))
        change = NEURAL_ODE.largest_change
        return float(np.clip(found, self.spread / change, self.spread * change))

    def again(self, spread: float, progress: Progress) -> _Fit | None:
        """With another size of the prior, from where this one ended; None if that does not settle."""
        priors = {**self.preparation.problem.priors, **dict.fromkeys(self.network.shrunk, (0.0, spread))}
        posed = replace(self.preparation, problem=replace(self.preparation.problem, priors=priors))
        outcome = posed.solver(self.outcome.nodes).run(
            self.outcome.p,
            self.outcome.nodes,
            self.outcome.sigma,
            progress.of(posed.problem.free),
            LIKELIHOOD.refit_tether,
            grows=False,
            most_rounds=NEURAL_ODE.attempt_rounds,
        )
        if outcome is None or not (outcome.converged or outcome.stopped):
            return None
        stage = self.history[-1].stage + 1 if self.history else 0
        return _Fit(self.network, posed, outcome, spread, (*self.history, *_entries(outcome, stage, self.network)))

    def trained(self, progress: Progress) -> TrainedTerm:
        """With the noise that the residuals show, and a covariance as wide as they ask for."""
        problem, outcome = refitted(self.preparation, self.outcome, progress.part(0.95, 1.0))
        noise, quality, _ = residual_tests(problem, outcome.residual, outcome.sigma)
        misfit = Misfit.of(problem, self.preparation.sigma, noise, quality)
        given = MethodReport("neural_ode", {}, {}, 0)
        wide = widening_of(outcome, given, misfit, Relabelling.nothing(len(problem.free))).std
        covariance = Information.of_rows(outcome.information_rows).covariance
        if wide is not None:
            plain = np.sqrt(np.diag(covariance))
            # one factor for all: the curve is a sum of weights that are strongly correlated
            factor = float(np.median(np.maximum(wide[wide > 0] / plain[wide > 0], 1.0))) if wide.any() else 1.0
            covariance = factor**2 * covariance
        return TrainedTerm(
            self.network, problem, self.preparation, outcome, covariance, self.spread, self.determined, self.history
        )


def _first_fit(
    network: TermNetwork, problem: Problem, p: np.ndarray, spread: float, progress: Progress
) -> _Fit | None:
    posed = network.problem(problem, spread)
    preparation = Preparation.of(posed)
    nodes = preparation.nodes(p)
    outcome = preparation.solver(nodes).run(
        p, nodes, preparation.sigma, progress.of(posed.free), grows=False, most_rounds=NEURAL_ODE.attempt_rounds
    )
    return None if outcome is None else _Fit(network, preparation, outcome, spread, _entries(outcome, 0, network))


def _entries(outcome: Outcome, stage: int, network: TermNetwork) -> tuple[Entry, ...]:
    own = len(outcome.p) - len(network.weights)
    return tuple(
        Entry(stage, 1.0, Loss(data, gaps, 0.0), p[:own])
        for p, (data, gaps) in zip(outcome.history, outcome.losses, strict=True)
    )


def _while_moving(problem: Problem, preparation: Preparation) -> Problem:
    """The records without the rest at their ends: what friction holds tells next to nothing of its curve."""
    layout, records = preparation.layout, []
    for index, record in enumerate(problem.records):
        moves = (layout.record == index) & ~layout.resting
        own = layout.record == index
        if moves.any() and layout.resting[own][-1]:
            record = record.between(-np.inf, float(layout.end[moves].max()))
        records.append(record)
    return problem.with_records(records)


def _begun(
    problem: Problem, preparation: Preparation, term: UnknownTerm, start: Start, seed: int
) -> tuple[TermNetwork, np.ndarray, float]:
    """The network laid out over what was visited, where training begins, and the prior's size there.

    It begins as the model's own term at these starting values, if the model has one.
    """
    p = problem.vector(start.p)
    states = np.concatenate(
        [
            reconstruct(problem.model, problem.outputs).values(curves, record, record.time, p)
            for curves, record in zip(preparation.curves, problem.records, strict=True)
        ]
    )
    low, high = np.nanquantile(states, [NEURAL_ODE.outermost, 1 - NEURAL_ODE.outermost], axis=0)
    place = [problem.model.state_names.index(name) for name in term.variables]
    visited = {name: (float(low[i]), float(high[i])) for name, i in zip(term.variables, place, strict=True)}
    if term.friction:
        fastest = max(map(abs, visited[term.variables[0]]))
        visited = {term.variables[0]: (-fastest, fastest)}
    network = TermNetwork.of(problem.model, term, visited, seed)
    columns = network.grid(NEURAL_ODE.abscissae)
    own = Program([term.sign * term.removed], [symbol(name) for name in (*columns, *problem.model.parameter_names)])
    values = np.broadcast_to(np.asarray(own(np, [*columns.values(), *p])[0], float), next(iter(columns.values())).shape)
    weights = network.imitated(values, columns) if term.removed != sp.S.Zero else np.zeros(len(network.weights))
    gone = term.without(problem.model)
    kept = [value for name, value in zip(problem.free, start.p, strict=True) if name not in gone]
    time = np.concatenate([record.time for record in problem.records])
    with np.errstate(divide="ignore", invalid="ignore"):
        rate = np.diff(states[:, term.equation]) / np.diff(time)
    accelerated = float(np.sqrt(np.mean(rate[np.isfinite(rate)] ** 2)))
    size = max(float(np.sqrt(np.mean(values**2))), NEURAL_ODE.first_spread * accelerated)
    return network, np.concatenate([kept, weights]), size
