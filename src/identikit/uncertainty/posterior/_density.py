"""The density of the posterior: likelihood of parameters and initial states, and the priors.

    log p(p, x_0 | y) = l(p, x_0) + log prior(p) + log prior(x_0)

with noise levels integrated out under the prior 1/sigma.

Priors of parameters: normal where the problem has one (cut at the bounds: half-normal about a bound); flat in the
logarithm of a positive parameter where that is asked for. Of initial states: normal where they are known roughly. Of
all others: the reference prior, or flat, within their bounds. The integral over noise levels is exact for normal and
log-normal noise; for Student's t and for rounded samples the level is at its best instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from identikit.likelihood import JointExpansion, JointLikelihood
from identikit.numerics import Information
from identikit.problem import Problem
from identikit.uncertainty.posterior._coordinates import Coordinates
from identikit.uncertainty.posterior._reference_prior import log_volume
from identikit.uncertainty.posterior._straightening import Straightening


class PosteriorDensity:
    """Unknowns u: the free parameters in the problem's order, then the unknown initial states; v: the same, straight.

    Arguments:
        problem: data and equations.
        estimate: of the free parameters [free], where the likelihood is largest.
        log_uniform: parameters whose prior is flat in their logarithm.
        flat: whether unknowns of which nothing is said have a flat prior, instead of the reference prior.
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
        """Logarithm of the density of v, but for a constant, and what a sampler moves by; -inf where there is none.

        The force is the derivative but for that of the reference prior's volume, which would take second derivatives of
        the motion. In v the volume hardly changes, and its derivative is taken to be what it is at the estimate. Any
        force that depends on the place alone leaves a sampler right that accepts by the density: a step forward and
        the same step back still undo each other, and keep volume. A wrong one costs draws.
        """
        u, slope = self.straightening.back(v), self.straightening.slope(v)
        found = self._followed.expansion(u)
        if found is None:
            return -np.inf, np.full(len(v), np.nan)
        value, gradient = found.value, found.gradient
        for i, (mean, std) in self._normal:
            off = (u[i] - mean) / std
            value, gradient[i] = value - 0.5 * off**2, gradient[i] - off / std
        for i in map(int, np.flatnonzero(self._scales)):
            value, gradient[i] = value - float(np.log(u[i])), gradient[i] - 1.0 / u[i]
        value += float(np.log(slope).sum())
        change = self.straightening.log_slope_change(v)
        if self.referenced.any():
            value += self._log_volume(found)
            change = np.where(self.referenced, 0.0, change) + self._volume_change
        return value, slope * gradient + change

    def coordinates(self) -> Coordinates | None:
        """Of v, around the estimate; None where neither record nor priors bound some direction."""
        return Coordinates.about(np.zeros_like(self.centre), self.information, *self.straight_bounds)

    @cached_property
    def information(self) -> np.ndarray:
        """At the estimate [unknowns, unknowns]: the record's and that of normal priors. Of u and v alike."""
        return self._of_record + self._of_priors

    @cached_property
    def referenced(self) -> np.ndarray:
        """Which unknowns [unknowns] have the reference prior: those of which nothing is said; none where the record
        cannot tell them apart."""
        free, nothing = len(self.problem.free), np.zeros(len(self.names), bool)
        own = np.diag(self._of_priors) == 0
        own[:free] &= ~self._scales
        own[free:] = [self.problem.initial[item.record][item.state].free for item in self.joint.states]
        alone = self._of_record[np.ix_(own, own)]
        return nothing if self._flat or len(Information.of_matrix(alone).weak) else own

    @property
    def priors(self) -> dict[str, str]:
        """The kind of every free parameter's prior."""
        normal = dict(self._normal)
        kinds = {True: "reference", False: "flat"}
        return {
            name: "normal" if i in normal else "log-uniform" if self._scales[i] else kinds[bool(self.referenced[i])]
            for i, name in enumerate(self.problem.free)
        }

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

    def _log_volume(self, found: JointExpansion) -> float:
        return log_volume(found.information[np.ix_(self.referenced, self.referenced)])

    @cached_property
    def _volume_change(self) -> np.ndarray:
        """Derivative [unknowns] of the reference prior of v at the estimate, from places one standard error away."""
        root = Information.of_matrix(self.information).root
        sides = np.array([[self._log_prior_of_straight(side * step) for side in (-1.0, 1.0)] for step in root.T])
        with np.errstate(invalid="ignore"):  # where there is no motion, or no volume, on either side
            rise = (sides[:, 1] - sides[:, 0]) / 2
        return np.linalg.solve(root.T, np.where(np.isfinite(rise), rise, 0.0))

    def _log_prior_of_straight(self, v: np.ndarray) -> float:
        """The reference prior as a density of v, but for a constant; NaN where there is no motion."""
        low, high = self.straight_bounds
        inside = np.clip(v, low, high)
        found = self.joint.expansion(self.straightening.back(inside))
        if found is None:
            return np.nan
        return self._log_volume(found) + float(np.log(self.straightening.slope(inside))[self.referenced].sum())

    @cached_property
    def _followed(self) -> JointLikelihood:
        """The likelihood for the thousands of evaluations of a sampler."""
        return self.joint.followed(Information.of_matrix(self.information).root, *self.bounds)

    @cached_property
    def _of_record(self) -> np.ndarray:
        """The record's information at the estimate."""
        return self.joint.information(self.centre)

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
