"""The law by which the parameters adapt, and where it leads whatever is measured.

    z_n' = (gamma + lambda_u (upper_n - z_n) + lambda_l (lower_n - z_n)) |e|        (equation 23 of the paper)

|e| is a common factor, so with the path E(t) = int |e| dt as its clock the law is linear and knows nothing else:

    z_n(t) = z*_n + (z_n(0) - z*_n) exp(-(lambda_u + lambda_l) E(t)),
    z*_n   = (gamma + lambda_u upper_n + lambda_l lower_n) / (lambda_u + lambda_l).

Whatever record drives it, every parameter goes straight from where it started to z*_n, and the record decides only how
far: by one number, E, which is the same for all of them. z*_n is set by the user's bounds and gamma.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class AdaptationLaw:
    """The law for a list of parameters; a bound that is infinite does not pull. Arrays [parameters]."""

    gamma: float
    pull: np.ndarray  # gamma + lambda_u upper + lambda_l lower
    rate: np.ndarray  # lambda_u + lambda_l

    @classmethod
    def of(
        cls,
        names: Sequence[str],
        bounds: Mapping[str, tuple[float, float]],
        gamma: float,
        upper_weight: float,
        lower_weight: float,
    ) -> AdaptationLaw:
        lower, upper = np.array([bounds[name] for name in names], float).reshape(-1, 2).T
        weights = np.stack([np.isfinite(upper) * upper_weight, np.isfinite(lower) * lower_weight])
        ends = np.nan_to_num(np.stack([upper, lower]), nan=0.0, posinf=0.0, neginf=0.0)
        return cls(gamma, gamma + (weights * ends).sum(axis=0), weights.sum(axis=0))

    def fixed_point(self, start: np.ndarray) -> np.ndarray:
        """z*; a parameter without bounds stays where it starts, or, with gamma, goes on for ever (infinite)."""
        unbounded = start if self.gamma == 0 else np.full_like(start, np.copysign(np.inf, self.gamma))
        return np.where(self.rate > 0, self.pull / np.where(self.rate > 0, self.rate, 1.0), unbounded)

    def at(self, start: np.ndarray, path: np.ndarray) -> np.ndarray:
        """z [times, parameters] once |e| has summed up to `path` [times], in closed form."""
        bounded = self.rate > 0
        end = np.where(bounded, self.fixed_point(start), 0.0)
        decay = np.exp(-self.rate * path[:, None])
        return np.where(bounded, end + (start - end) * decay, start + self.gamma * path[:, None])

    def departure(self, start: np.ndarray, path: np.ndarray, z: np.ndarray) -> np.ndarray:
        """Distance [times] of integrated parameters z [times, parameters] from the closed form, over the way's length.

        What is not zero is the error of the integration: the record cannot take part in it.
        """
        end = self.fixed_point(start)
        way = np.where(np.isfinite(end) & (end != start), np.abs(end - start), np.maximum(np.abs(start), 1e-300))
        return np.max(np.abs(z - self.at(start, path)) / way, axis=1, initial=0.0)
