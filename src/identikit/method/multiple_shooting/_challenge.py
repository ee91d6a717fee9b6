"""Is there another explanation? A fit that has settled is challenged from the other side of its doubtful parameters.

A parameter that enters the equations nonlinearly and may be of any size (a Stribeck speed, a time constant) can have
several minima, and a wrong one may show small standard errors: where friction nearly sticks, the trajectory depends on
everything. Two signs of doubt need no truth to be seen:

- joining the segments cost more than chance allows. With K links of n states, the least that was reached on the way
  to one trajectory is lower than the end by a chi-square of K n degrees of freedom, if model and minimum are right;
- such a parameter is at a bound, or not determined very precisely.

Then the fit is repeated with that parameter begun half way, in logarithms, to either bound; one that is poorly
known is kept there, since it would only drift back over a flat valley. A lower end takes the place of the fit; ends
as low, but elsewhere, are kept: the record cannot decide between them (`MethodReport.others`).
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np

from identikit.likelihood import LIKELIHOOD, Outcome, Preparation, reconstruct, scale_like
from identikit.method._other_roots import other_roots
from identikit.method.multiple_shooting._settings import SHOOTING
from identikit.method.multiple_shooting._valley import furthest
from identikit.method.regression._filtered import regression_equations
from identikit.method.regression._regression import objections
from identikit.model import jointly_affine, symbol
from identikit.problem import Problem
from identikit.progress import Cancelled, Progress


@dataclass(frozen=True)
class Candidate:
    """Where a fit came to; `how` says where it began."""

    outcome: Outcome
    how: str

    @property
    def misfit(self) -> float:
        return self.outcome.misfit


def challenged(
    preparation: Preparation, end: Candidate, progress: Progress
) -> tuple[Candidate, tuple[tuple[np.ndarray, np.ndarray], ...]]:
    """The best end, and others that explain the record as well: their parameters and information rows."""
    ends = [end]
    with suppress(Cancelled):
        _add_rivals(preparation, ends, progress.part(0.0, 0.5))
        if _hidden(preparation.problem) and not _lowest(ends).outcome.stopped:
            ends += _along_valleys(preparation, _lowest(ends), progress.part(0.5, 0.9))
        if not _lowest(ends).outcome.stopped:
            ends += _twins(preparation, _lowest(ends), progress.part(0.9, 1.0))
    best = _lowest(ends)
    spread = best.outcome.standard_errors
    others = [
        (item.outcome.p, item.outcome.information_rows)
        for item in ends
        if item is not best
        and item.misfit < best.misfit + SHOOTING.as_good
        and np.any(np.abs(item.outcome.p - best.outcome.p) > SHOOTING.elsewhere * spread)
    ]
    return best, tuple(others)


def _add_rivals(preparation: Preparation, ends: list[Candidate], progress: Progress) -> None:
    """Ends of fits that begin on the other side of a doubtful parameter of the best one so far."""
    problem, end = preparation.problem, ends[0]
    spent, attempts = 0, progress.attempts()
    for i, relative in _doubtful(problem, end):
        for side in reversed(problem.bounds[problem.free[i]]):
            best, poor = _lowest(ends), relative > SHOOTING.poor
            here = float(best.outcome.p[i])
            # the verdict on the others depends on how far a poorly known one may go, so there is no saving there
            if best.outcome.stopped or side == here or (spent > SHOOTING.effort * end.outcome.rounds and not poor):
                continue
            place = float(np.sqrt(here * side))
            outcome = (_kept if poor else _begun)(preparation, best.outcome, i, place, next(attempts))
            spent += 0 if outcome is None else outcome.rounds
            if outcome is not None and (outcome.converged or progress.stopped):
                ends.append(Candidate(outcome, f"{problem.free[i]} begun at {place:.2g}"))


def _begun(preparation: Preparation, best: Outcome, i: int, value: float, progress: Progress) -> Outcome | None:
    """The fit that begins with parameter i there: it may lead to a new trajectory, so segments are apart at first."""
    p = best.p.copy()
    p[i] = value
    own = replace(preparation, layout=best.layout)
    nodes = own.nodes(p)
    return own.solver(nodes).run(
        p, nodes, preparation.sigma, progress, grows=False, most_rounds=SHOOTING.challenge_rounds
    )


def _kept(preparation: Preparation, best: Outcome, i: int, value: float, progress: Progress) -> Outcome | None:
    """The fit with parameter i kept there, which belongs to the same trajectory or none."""
    p = best.p.copy()
    p[i] = value
    solver = replace(preparation, layout=best.layout).solver(best.nodes, pinned={i: value})
    return solver.run(
        p, best.nodes, preparation.sigma, progress, LIKELIHOOD.tightest_tether, False, SHOOTING.kept_rounds
    )


def _lowest(ends: list[Candidate]) -> Candidate:
    return min(ends, key=lambda item: (not item.outcome.converged, item.misfit))


def _doubtful(problem: Problem, end: Candidate) -> list[tuple[int, float]]:
    """Places and relative standard errors of the parameters worth a challenge, the weakest first."""
    low, high = problem.limits
    p = end.outcome.p
    candidates = scale_like(low, high) & np.array([name in nonlinear(problem) for name in problem.free])
    relative = np.where(candidates, end.outcome.standard_errors / np.where(candidates, p, 1.0), 0.0)
    weak = (relative > SHOOTING.weak) | (p <= low) | (p >= high)
    if not end.outcome.joined_by_chance(SHOOTING.chance):
        weak |= relative > SHOOTING.certain
    chosen = np.nonzero(candidates & weak & (relative < SHOOTING.without_effect))[0]
    return [(int(i), float(relative[i])) for i in chosen[np.argsort(-relative[chosen])]]


def _hidden(problem: Problem) -> bool:
    """Whether a state is never seen, neither measured nor by what it does to a measured one."""
    unknown = reconstruct(problem.model, problem.outputs).missing
    return any(not record[name].known for record in problem.initial for name in unknown)


def _along_valleys(preparation: Preparation, best: Candidate, progress: Progress) -> list[Candidate]:
    """Other explanations along the valleys of parameters that are not determined precisely."""
    problem, found = preparation.problem, []
    relative = best.outcome.standard_errors / np.maximum(np.abs(best.outcome.p), 1e-300)
    for i in np.nonzero((relative > SHOOTING.vague) & (relative < SHOOTING.without_effect))[0]:
        for outcome in furthest(preparation, best.outcome, int(i), SHOOTING.as_good, progress):
            how = f"{problem.free[i]} moved to {outcome.p[i]:.3g}"
            if outcome.misfit < best.misfit - 1.0:  # a lower place: where does it lead when it is free again?
                nodes, p = outcome.nodes, outcome.p
                solver = replace(preparation, layout=outcome.layout).solver(nodes)
                lower = solver.run(p, nodes, outcome.sigma, progress, LIKELIHOOD.tightest_tether, grows=False)
                found.append(Candidate(outcome if lower is None or not lower.converged else lower, how))
                return found
            found.append(Candidate(outcome, how))
    return found


def _twins(preparation: Preparation, best: Candidate, progress: Progress) -> list[Candidate]:
    """Other parameters whose hidden states make up for the difference, where the equations are linear in the states."""
    problem, outcome = preparation.problem, best.outcome
    known = reconstruct(problem.model, problem.outputs)
    free = set(map(symbol, problem.free))
    if all(state is not None and not state.free_symbols & free for state in known.states):
        return []  # every state is seen, whatever the parameters are
    found = []
    for twin in other_roots(problem, outcome.p, outcome.nodes[outcome.layout.first_of_record])[: SHOOTING.most_twins]:
        nodes = outcome.nodes @ twin.turn.T + twin.shift
        solver = replace(preparation, layout=outcome.layout).solver(nodes)
        there = solver.run(twin.p, nodes, outcome.sigma, progress, LIKELIHOOD.tightest_tether, grows=False)
        if there is not None and there.converged:
            found.append(Candidate(there, f"a twin with {problem.free[0]} = {twin.p[0]:.3g}"))
    return found


def nonlinear(problem: Problem) -> tuple[str, ...]:
    """Free parameters outside a largest set, found greedily, in which the equations are jointly affine.

    None where products and quotients of parameters are what the equations are affine in, and all states can be had
    from the record: then a linear regression leads to one place.
    """
    if not problem.model.symbolic:
        return problem.free
    if not objections(problem) and regression_equations(problem.model, problem.outputs, problem.free).one_to_one:
        return ()
    affine = jointly_affine(problem.model.equations, tuple(map(symbol, problem.free)))
    return tuple(name for name in problem.free if symbol(name) not in affine)
