"""The density of the posterior: likelihood of parameters and initial states, and the priors.

    log p(p, x_0 | y) = l(p, x_0) + log prior(p) + log prior(x_0)

with noise levels integrated out under the prior 1/sigma.

Priors of parameters: normal where the problem has one (cut at the bounds: half-normal about a bound); flat in the
logarithm of a positive parameter where that is asked for; of all others the reference prior, or flat, within the
bounds. Initial states: flat, or normal. The integral over noise levels is exact for normal and log-normal noise; for
Student's t and for rounded samples the level is at its best instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from identikit.likelihood import JointLikelihood
from identikit.numerics import Information
from identikit.problem import Problem
from identikit.uncertainty.posterior._coordinates import Coordinates
from identikit.uncertainty.posterior._straightening import Straightening


class PosteriorDensity:
    """Unknowns u: the free parameters in the problem's order, then the unknown initial states; v: the same, straight.

    Arguments:
        problem: data and equations.
        estimate: of the free parameters [free], where the likelihood is largest.
        log_uniform: parameters whose prior is flat in their logarithm.
        flat: whether parameters of which nothing is said have a flat prior, instead of the reference prior.
    """

    def __init__(
        self, problem: Problem, estimate: np.ndarray, log_uniform: Sequence[str] = (), flat: bool = False
    ) -> None:
        self.problem = problem
        self.joint = JointLikelihood(problem, estimate)
        self._scales = np.array([name in log_uniform for name in problem.free], bool)
        self._flat = flat

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

    @cached_property
    def straight_bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """The bounds of v."""
        low, high = (self.straightening.straight(end) for end in self.bounds)
        return low, high

    def value_and_gradient(self, v: np.ndarray) -> tuple[float, np.ndarray]:
        """Logarithm of the density of v, but for a constant, and its derivative; -inf where there is none."""
        u, slope = self.straightening.back(v), self.straightening.slope(v)
        value, gradient = self.joint.value_and_gradient(u)
        for i, (mean, std) in self._normal:
            off = (u[i] - mean) / std
            value, gradient[i] = value - 0.5 * off**2, gradient[i] - off / std
        for i in map(int, np.flatnonzero(self._scales)):
            value, gradient[i] = value - float(np.log(u[i])), gradient[i] - 1.0 / u[i]
        # a prior that is a density of u becomes one of v; the reference prior is flat in v
        told = ~self.referenced
        gradient = slope * gradient + np.where(told, self.straightening.log_slope_change(v), 0.0)
        return value + float(np.log(slope[told]).sum()), gradient

    def coordinates(self) -> Coordinates | None:
        """Of v, around the estimate; None where neither record nor priors bound some direction."""
        return Coordinates.about(np.zeros_like(self.centre), self.information, *self.straight_bounds)

    @cached_property
    def information(self) -> np.ndarray:
        """At the estimate [unknowns, unknowns]: the record's and that of normal priors. Of u and v alike."""
        return self.joint.information(self.centre) + self._of_priors

    @cached_property
    def referenced(self) -> np.ndarray:
        """Which unknowns [unknowns] have the reference prior: parameters of which nothing is said."""
        found = np.zeros(len(self.names), bool)
        if not self._flat:
            found[: len(self.problem.free)] = ~self._scales
            found[[i for i, _ in self._normal]] = False
        return found

    @cached_property
    def straightening(self) -> Straightening:
        """Of the free parameters, by their standard errors at places to either side of the estimate."""
        (low, high), count = self.bounds, len(self.names)
        covariance = Information.of_matrix(self.information).covariance
        spread = np.sqrt(np.diag(covariance))
        # one standard error away, but no further than half the way to a bound: a large error is that of the estimate
        steps = np.stack([-np.minimum(spread, (self.centre - low) / 2), np.minimum(spread, (high - self.centre) / 2)])
        growth = np.zeros(count)
        for i in range(len(self.problem.free)):
            ridge = covariance[:, i] / covariance[i, i]  # how the others go along with this one
            places = [np.clip(self.centre + step * ridge, low, high) for step in steps[:, i]]
            below, above = (self._standard_error(u, i) for u in places)
            if np.isfinite([below, above]).all():
                growth[i] = np.log(above / below)
        return Straightening.of(self.centre, steps, growth, low, high)

    def prior_deviation(self, index: int) -> float:
        """Standard deviation of v of a free parameter before the record; infinite where its prior has none."""
        low, high = (float(end[index]) for end in self.straight_bounds)
        normal = dict(self._normal).get(index)
        return min((high - low) / 12**0.5, np.inf if normal is None else normal[1])

    def _standard_error(self, u: np.ndarray, index: int) -> float:
        """Of one unknown, by the information at u; infinite where that is singular."""
        found = self.joint.information(u) + self._of_priors
        return float(Information.of_matrix(found).standard_errors[index]) if np.isfinite(found).all() else np.inf

    @cached_property
    def _of_priors(self) -> np.ndarray:
        """That of normal priors of parameters."""
        found = np.zeros(len(self.names))
        for i, (_, std) in self._normal:
            found[i] = std**-2
        return np.diag(found)

    @cached_property
    def _normal(self) -> list[tuple[int, tuple[float, float]]]:
        return [(self.problem.free.index(name), prior) for name, prior in self.problem.priors.items()]
