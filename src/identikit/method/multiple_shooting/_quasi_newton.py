"""One trajectory followed downhill by a quasi-Newton method, where Gauss-Newton steps creep.

Gauss-Newton takes the curvature of the misfit from sensitivities at one point alone. On a Furuta pendulum whose noise
is thirty times the size of one state, the misfit along a step was seen to bend four to five times as much, so that
every step goes too far and is shortened, and 90 rounds led less far than ten of a method that learns the curvature from
the gradients it meets (BFGS). Unknowns are the parameters and the records' first states, in coordinates in which the
information is one, so that it sets out in the direction of Gauss and Newton.

Reference: J. Nocedal, S. Wright, Numerical Optimization, Springer 2006, chapters 6 and 10.
"""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import Any

import numpy as np

from identikit.errors import ProblemError
from identikit.likelihood import LIKELIHOOD, JointLikelihood, Outcome, Preparation
from identikit.method.multiple_shooting._settings import SHOOTING
from identikit.numerics import Information
from identikit.progress import Progress

_NOWHERE = 1e10  # where the model cannot be integrated: a line search turns back


def followed_down(preparation: Preparation, reached: Outcome, progress: Progress) -> Outcome | None:
    """The fit from where a search came to a stop; None where there is no trajectory near, or it leads nowhere.

    Not for a record with a rest, which is fitted after its motion (`likelihood/_rest.py`).
    """
    if reached.layout.resting.any():
        return None
    try:
        downhill = _Downhill(preparation, reached)
    except ProblemError:
        return None
    found = downhill.run(progress.insisting())
    if found is None:
        return None
    own = replace(preparation, layout=reached.layout)
    outcome = own.solver(reached.nodes).run(
        *found, reached.sigma, progress, LIKELIHOOD.tightest_tether, False, SHOOTING.settling_rounds
    )
    return outcome and replace(outcome, rounds=outcome.rounds + downhill.joint.integrations)


class _TookLongError(Exception):
    """It has taken as long as it may."""


class _Downhill:
    """-log L and the priors of parameters, as a function of z: unknowns = centre + root z.

    An unknown that would leave its bounds stays at the bound, and z moves the others alone.
    """

    def __init__(self, preparation: Preparation, reached: Outcome) -> None:
        self.problem = preparation.problem
        self.joint = JointLikelihood(self.problem, reached.p, reached.motion)
        low, high = self.problem.limits
        states = [item.bounds for item in self.joint.states]
        self._low, self._high = (np.append(end, [one[side] for one in states]) for side, end in enumerate((low, high)))
        # parameters at a bound that would leave it are left out, so that the others set out in the right direction
        step = reached.iteration.with_limits(low, high).step(reached.point, reached.linear, 0.0)[0]
        moves = np.append((step != 0) | ((reached.p > low) & (reached.p < high)), np.ones(len(states), bool))
        information = self.joint.information(self.joint.centre)[np.ix_(moves, moves)]
        if not moves.any() or not np.isfinite(information).all():
            raise ProblemError("there is no motion, or nothing that may change")
        self._root = np.zeros((len(moves), int(moves.sum())))
        self._root[moves] = Information.of_matrix(information).root
        self._best = (np.inf, self.joint.centre)

    def run(self, progress: Progress) -> tuple[np.ndarray, np.ndarray] | None:
        """Parameters and nodes at the lowest place that was met; None where none is lower than the first."""
        from scipy.optimize import minimize

        def told(intermediate_result: Any) -> None:
            share = min(self.joint.integrations / SHOOTING.most_quasi_newton, 1.0)
            p = self._unknowns(intermediate_result.x)[: len(self.problem.free)]
            progress(share, f"one trajectory: -log L {intermediate_result.fun:.6g}", p)

        start = np.zeros(self._root.shape[1])
        begun = self(start)[0]
        settings = {"gtol": SHOOTING.quasi_newton_slope}
        with contextlib.suppress(_TookLongError):
            minimize(self, start, jac=True, method="BFGS", callback=told, options=settings)
        lowest, unknowns = self._best
        nodes = self.joint.nodes(unknowns)
        if nodes is None or not lowest < begun:
            return None
        return unknowns[: len(self.problem.free)], nodes

    def __call__(self, z: np.ndarray) -> tuple[float, np.ndarray]:
        if self.joint.integrations > SHOOTING.most_quasi_newton:
            raise _TookLongError
        u = self._unknowns(z)
        log_likelihood, gradient = self.joint.value_and_gradient(u)
        if not np.isfinite(log_likelihood):
            return _NOWHERE, np.zeros_like(z)
        value, slope = -log_likelihood, -gradient
        for name, (mean, std) in self.problem.priors.items():
            i = self.problem.free.index(name)
            off = (u[i] - mean) / std
            value, slope[i] = value + 0.5 * off**2, slope[i] + off / std
        if value < self._best[0]:
            self._best = (value, u)
        return value, self._root.T @ np.where(self._held(z, slope), 0.0, slope)

    def _unknowns(self, z: np.ndarray) -> np.ndarray:
        return np.clip(self.joint.centre + self._root @ z, self._low, self._high)

    def _held(self, z: np.ndarray, slope: np.ndarray) -> np.ndarray:
        """Unknowns that are kept at a bound, which z would take beyond it, or that downhill lies beyond."""
        asked = self.joint.centre + self._root @ z
        below = (asked < self._low) | ((asked == self._low) & (slope > 0))
        above = (asked > self._high) | ((asked == self._high) & (slope < 0))
        return below | above
