"""The density of the posterior: likelihood of parameters and initial states, and the priors.

    log p(p, x_0 | y) = l(p, x_0) + log prior(p) + log prior(x_0)

with noise levels integrated out under the prior 1/sigma.

Priors: flat within the bounds; normal where the problem has one (cut at the bounds: half-normal about a bound); flat in
the logarithm of a positive parameter where that is asked for. The integral over noise levels is exact for normal and
log-normal noise; for Student's t and for rounded samples the level is at its best instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from identikit.likelihood import JointLikelihood
from identikit.problem import Problem
from identikit.uncertainty.posterior._coordinates import Coordinates


class PosteriorDensity:
    """Unknowns: the free parameters in the problem's order, then the unknown initial states."""

    def __init__(self, problem: Problem, estimate: np.ndarray, log_uniform: Sequence[str] = ()) -> None:
        self.problem = problem
        self.joint = JointLikelihood(problem, estimate)
        self._scales = np.array([name in log_uniform for name in problem.free], bool)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Of the unknowns: initial states as theta(0), with the record's name where there are several."""
        records = self.problem.records
        told = [
            f"{item.state}(0)" + (f" {records[item.record].name}" if len(records) > 1 else "")
            for item in self.joint.states
        ]
        return (*self.problem.free, *told)

    @property
    def centre(self) -> np.ndarray:
        """The estimate."""
        return self.joint.centre

    @cached_property
    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """Lower and upper ones [unknowns], infinite where there are none."""
        table = [self.problem.bounds[name] for name in self.problem.free] + [item.bounds for item in self.joint.states]
        low, high = np.array(table, float).reshape(len(self.names), 2).T
        return low, high

    def value_and_gradient(self, unknowns: np.ndarray) -> tuple[float, np.ndarray]:
        """Logarithm of the density, but for a constant; -inf where there is none."""
        value, gradient = self.joint.value_and_gradient(unknowns)
        for i, (mean, std) in self._normal:
            off = (unknowns[i] - mean) / std
            value, gradient[i] = value - 0.5 * off**2, gradient[i] - off / std
        for i in map(int, np.flatnonzero(self._scales)):
            value, gradient[i] = value - float(np.log(unknowns[i])), gradient[i] - 1.0 / unknowns[i]
        return value, gradient

    def coordinates(self) -> Coordinates | None:
        """Around the estimate; None where neither record nor priors bound some direction."""
        return Coordinates.about(self.centre, self.information, *self.bounds)

    @cached_property
    def information(self) -> np.ndarray:
        """At the estimate [unknowns, unknowns]: the record's and that of normal priors."""
        found = self.joint.information(self.centre)
        for i, (_, std) in self._normal:
            found[i, i] += std**-2
        return found

    def prior_deviation(self, index: int) -> float:
        """Standard deviation of a free parameter before the record; infinite where its prior has none."""
        low, high = (float(end[index]) for end in self.bounds)
        normal = dict(self._normal).get(index)
        return min((high - low) / 12**0.5, np.inf if normal is None else normal[1])

    @cached_property
    def _normal(self) -> list[tuple[int, tuple[float, float]]]:
        return [(self.problem.free.index(name), prior) for name, prior in self.problem.priors.items()]
