"""A record that begins at rest, held by friction, while its first velocity is free.

Friction uses a small first velocity v up within a sample: the body moves by m v |v|/(2 f) and is held. So the record
tells little of v, the likelihood is flat about zero with a kink in it, and no iteration settles there. Rest is the
simpler explanation: where friction would hold the body and v = 0 explains the record as well, it is taken as known.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from identikit.errors import SimulationError
from identikit.likelihood import LIKELIHOOD, Outcome, Preparation
from identikit.method.multiple_shooting._settings import SHOOTING
from identikit.model import dynamics_of
from identikit.problem import Problem
from identikit.progress import Progress
from identikit.result import Finding, finding, listed
from identikit.simulation import simulate


def begun_at_rest(
    preparation: Preparation, reached: Outcome, progress: Progress
) -> tuple[Preparation, Outcome, Finding] | None:
    """The fit of one trajectory again, with records that friction holds at first begun at rest, and a finding that says
    so; None where there are none, or where rest explains the record worse."""
    problem = preparation.problem
    held = {k: names for k in range(len(problem.records)) if (names := _held_at_first(problem, reached, k))}
    if not held:
        return None
    at_rest = problem.begun({k: dict.fromkeys(names, 0.0) for k, names in held.items()})
    own = replace(preparation, problem=at_rest, layout=reached.layout)
    nodes = reached.nodes.copy()
    for k, names in held.items():
        rest = [problem.model.state_names.index(name) for name in names]
        nodes[reached.layout.first_of_record[k], rest] = 0.0
    outcome = own.solver(nodes).run(
        reached.p, nodes, reached.sigma, progress, LIKELIHOOD.tightest_tether, False, SHOOTING.attempt_rounds
    )
    allowed = SHOOTING.as_good * sum(map(len, held.values()))
    if outcome is None or not outcome.converged or outcome.misfit > reached.misfit + allowed:
        return None
    states = list(dict.fromkeys(name for names in held.values() for name in names))
    where = listed([problem.records[k].name or str(k + 1) for k in held]) if len(problem.records) > 1 else "the record"
    verb = "are" if len(states) > 1 else "is"
    text = f"friction holds the motion when {where} begins: {listed(states)} {verb} taken as zero there"
    return replace(preparation, problem=at_rest), outcome, finding("begins_at_rest", text, *states)


def _held_at_first(problem: Problem, reached: Outcome, record: int) -> tuple[str, ...]:
    """Free first velocities that friction would keep at zero, all of them together."""
    model = problem.model
    switched = {str(item) for guard in dynamics_of(model).guards for item in guard.free_symbols}
    names = tuple(name for name in model.state_names if name in switched and problem.initial[record][name].free)
    if not names:
        return ()
    own = problem.records[record]
    begun = dict(zip(model.state_names, map(float, reached.initial_states(record)[0]), strict=True))
    parameters = dict(zip(model.parameter_names, problem.vector(reached.p), strict=True))
    try:
        found = simulate(
            model, own.time[: SHOOTING.held_samples], parameters, begun | dict.fromkeys(names, 0.0), own.pieces
        )
    except SimulationError:
        return ()
    still = found.states[[model.state_names.index(name) for name in names]]
    return names if not np.any(still) else ()
