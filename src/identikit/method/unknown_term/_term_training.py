"""Training of a network inside an equation: multiple shooting over its weights, the size of their prior by evidence.

The weights are parameters beside the model's own, with a normal prior of mean zero and standard deviation s, and all
are found by Gauss-Newton over segments that are tied together at the end (`likelihood/`). How large s is, the record
says: where its evidence is largest,

    s^2 = sum w_j^2 / g,        g = weights - trace(C) / s^2,

with C the weights' covariance and g the number of weights that the record determines. Where residuals hang together
from sample to sample, samples tell less than they seem to: the information of the record is divided by how much wider a
covariance is that trusts the scores of the segments alone, or the network would learn the residuals' pattern.

Reference: D. J. C. MacKay, Bayesian interpolation, Neural Computation 4 (1992) 415-447.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import sympy as sp

from identikit.diagnose import residual_colour
from identikit.likelihood import LIKELIHOOD, Outcome, Preparation, reconstruct
from identikit.method._noise_refit import refitted
from identikit.method.multiple_shooting import Start, starts
from identikit.method.network._training import Entry, Loss
from identikit.method.unknown_term._settings import NEURAL_ODE
from identikit.method.unknown_term._term_network import TermNetwork
from identikit.method.unknown_term._unknown_term import UnknownTerm
from identikit.model import Program, symbol
from identikit.numerics import symmetric_inverse
from identikit.problem import Problem
from identikit.progress import Cancelled, Progress


@dataclass(frozen=True)
class TrainedTerm:
    """A network at the end of its training.

    Arguments:
        network: what stands for the term.
        problem: with the network inside; the record where it moves.
        preparation, outcome: of the last fit.
        covariance: of everything free, the weights last; as wide as the residuals ask for, by `inflation`.
        spread: the prior's standard deviation; determined: how many weights the record tells.
        settled: whether the training came to an end by itself.
        history: losses and parameters, step by step; `stage` counts the fits.
    """

    network: TermNetwork
    problem: Problem
    preparation: Preparation
    outcome: Outcome
    covariance: np.ndarray
    spread: float
    determined: float
    inflation: float
    settled: bool
    history: tuple[Entry, ...]

    @property
    def own(self) -> int:
        """How many of the free parameters are the model's own; they come first."""
        return len(self.problem.free) - len(self.network.weights)

    @property
    def weights(self) -> np.ndarray:
        return self.outcome.p[self.own :]

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
        if found is not None and (found.settled or found.outcome.stopped):
            break
    if found is None:
        return None
    found = _with_evidence(found, progress.part(0.5, 0.9))
    looser = found.again(NEURAL_ODE.undersmoothing * found.spread, progress.part(0.9, 0.95)) if found.settled else None
    return (looser if looser is not None and looser.settled else found).trained(progress)


def _with_evidence(found: _Fit, progress: Progress) -> _Fit:
    """The fit again and again until the prior is as large as its evidence has it.

    One that has not settled goes on with the same prior, for a while, now that it is known how much its residuals tell.
    """
    patience = NEURAL_ODE.patience
    for attempt, _ in zip(progress.attempts(), range(NEURAL_ODE.evidence_rounds), strict=False):
        spread = found.likelier_spread if found.settled else found.spread
        settled = found.settled and abs(spread / found.spread - 1) < NEURAL_ODE.evidence_settled
        if settled or found.outcome.stopped or (not found.settled and patience == 0):
            return found
        patience -= not found.settled
        again = found.again(spread, attempt)
        if again is None or (found.settled and not again.settled and not again.outcome.stopped):
            return found
        found = again
    return found


@dataclass(frozen=True)
class _Fit:
    """One fit with a prior of a given size, which was `weighed` so many times against the record as if residuals were
    white."""

    network: TermNetwork
    preparation: Preparation
    outcome: Outcome
    spread: float
    history: tuple[Entry, ...]
    weighed: float = 1.0

    @property
    def rank(self) -> tuple[bool, float]:
        return not self.settled, self.outcome.misfit

    @cached_property
    def settled(self) -> bool:
        """Whether it came to one trajectory, and to an end. Where the equations miss something, directions of the
        weights are so flat that no further step is accepted, though an undamped one would still be long."""
        outcome = self.outcome
        if outcome.converged or outcome.stopped:
            return outcome.converged
        return outcome.widest_gap < NEURAL_ODE.joined and outcome.rounds <= NEURAL_ODE.attempt_rounds

    @property
    def _prior(self) -> np.ndarray:
        """Inverse variances of the weights beforehand, of everything free."""
        found = np.zeros(len(self.outcome.p))
        found[self._shrunk] = self.spread**-2
        return found

    @cached_property
    def inflation(self) -> float:
        """How much wider the record's own covariance is than it seems; 1 if residuals are white."""
        outcome = self.outcome
        if all(residual_colour(column)[0] for column in outcome.residual.T):
            return 1.0
        scores = outcome.scores()
        if scores is None:
            return 1.0
        wide, plain = (np.diag(item) for item in scores.covariances())
        return float(max(np.median(wide[plain > 0] / plain[plain > 0]), 1.0)) if (plain > 0).any() else 1.0

    @cached_property
    def covariance(self) -> np.ndarray:
        """Of everything free."""
        rows = self.outcome.information_rows
        told = rows.T @ rows - self.weighed * self._prior * np.eye(len(self._prior))
        return symmetric_inverse(told / self.inflation + np.diag(self._prior))

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
        """With another size of the prior, from where this one ended; None if it cannot be integrated."""
        narrowed = (0.0, spread / np.sqrt(self.inflation))
        priors = {**self.preparation.problem.priors, **dict.fromkeys(self.network.shrunk, narrowed)}
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
        outcome = _on_request(outcome, progress)
        if outcome is None:
            return None
        stage = self.history[-1].stage + 1 if self.history else 0
        history = (*self.history, *_entries(outcome, stage, self.network))
        return _Fit(self.network, posed, outcome, spread, history, self.inflation)

    def trained(self, progress: Progress) -> TrainedTerm:
        """With the noise that the residuals show."""
        problem, outcome = refitted(self.preparation, self.outcome, progress.part(0.95, 1.0))
        end = replace(self, outcome=outcome)
        return TrainedTerm(
            self.network,
            problem,
            self.preparation,
            outcome,
            end.covariance,
            self.spread,
            end.determined,
            end.inflation,
            self.settled,
            self.history,
        )


def _first_fit(network: TermNetwork, problem: Problem, p: np.ndarray, spread: float, progress: Progress) -> _Fit | None:
    posed = network.problem(problem, spread)
    preparation = Preparation.of(posed)
    nodes = preparation.nodes(p)
    outcome = preparation.solver(nodes).run(
        p, nodes, preparation.sigma, progress.of(posed.free), grows=False, most_rounds=NEURAL_ODE.attempt_rounds
    )
    outcome = _on_request(outcome, progress)
    return None if outcome is None else _Fit(network, preparation, outcome, spread, _entries(outcome, 0, network))


def _on_request(outcome: Outcome | None, progress: Progress) -> Outcome | None:
    """An outcome that its budget stopped is not one that was asked to stop."""
    if outcome is None or not outcome.stopped or progress.stopped:
        return outcome
    return replace(outcome, stopped=False)


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
    # as large as the model's own term and not larger: a wide prior lets steep units wander while segments are apart
    size = float(np.sqrt(np.mean(values**2))) or NEURAL_ODE.first_spread * float(np.std(rate[np.isfinite(rate)]))
    return network, np.concatenate([kept, weights]), size
