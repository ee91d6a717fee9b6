"""The model's curve, between samples too, and how well it is known.

With D = dx_0/dp how the best initial states follow the parameters, and S the covariance of x_0 at fixed parameters,

    var y(t) = (y_p + y_x0 D) C (y_p + y_x0 D)' + y_x0 S y_x0'

Each segment's own sensitivities are carried to the beginning of the record by the transitions between segments.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from identikit.errors import OptionError
from identikit.likelihood._elimination import LinearProblem
from identikit.likelihood._segments import Evaluation, SegmentModel
from identikit.likelihood._settings import LIKELIHOOD
from identikit.numerics import Information, pseudo_inverse


@dataclass(frozen=True)
class Curve:
    """`values` and `std` [times, outputs] of the model at `time`; `std` is of the curve, not of a measurement.

    `std` is NaN where it cannot be had: a motion that is not tied to the record's beginning, or chaos. `initial_std`
    [states] is that of the state at the record's beginning.
    """

    time: np.ndarray
    outputs: tuple[str, ...]
    values: np.ndarray
    std: np.ndarray
    noise: np.ndarray
    initial_std: np.ndarray


@dataclass(frozen=True)
class FittedMotion:
    """All segments at their best for one set of parameters, with what is left after their nodes are removed."""

    segments: SegmentModel
    p: np.ndarray
    nodes: np.ndarray
    evaluation: Evaluation
    linear: LinearProblem
    sigma: np.ndarray

    def curve(self, record: int, times: np.ndarray | None = None, covariance: np.ndarray | None = None) -> Curve:
        """The curve of one record with its standard error.

        Arguments:
            times: increasing, within the record; None = at its samples, thinned where there are many.
            covariance: of the free parameters; None = the inverse of the information.
        """
        outputs = self.segments.problem.outputs
        if times is None:
            times, values, slope, where = self._at_samples(record)
        else:
            span = self.segments.problem.records[record].time
            if times.ndim != 1 or not len(times) or (np.diff(times) < 0).any():
                raise OptionError("the times of a curve must increase, at least one of them")
            if times[0] < span[0] or times[-1] > span[-1]:
                raise OptionError(f"the times of a curve must lie within the record, {span[0]:g} to {span[-1]:g}")
            values, slope, where = self.segments.at_times(self.p, self.nodes, record, times)
        factor = self._factor(record, covariance)
        initial_std = np.linalg.norm(factor[: self.nodes.shape[1]], axis=1)
        return Curve(times, outputs, values, self._std(record, slope, where, factor), self.sigma, initial_std)

    def _at_samples(self, record: int) -> tuple[np.ndarray, ...]:
        """Times, values, slopes and segments of the record's samples; the residuals tell the values at no cost."""
        layout = self.segments.layout
        own = np.nonzero(layout.record == record)[0]
        first, last = layout.first_sample[own[0]], layout.first_sample[own[-1] + 1]
        chosen = np.arange(first, last, max(1, -(-(last - first) // LIKELIHOOD.most_curve_samples)))
        where = np.searchsorted(layout.first_sample, chosen, side="right") - 1
        values = self.segments.measured[chosen] - self.evaluation.residual[chosen]
        return self.segments.time[chosen], values, self.evaluation.slope[chosen], where

    def _factor(self, record: int, covariance: np.ndarray | None) -> np.ndarray:
        """F with F F' the covariance of (x_0, p)."""
        layout, states, free = self.segments.layout, self.nodes.shape[1], len(self.p)
        if covariance is None:
            covariance = Information.of_rows(self.linear.information_rows).covariance
        # x_0 = x_0(best) + D dp + e,  e ~ N(0, S): both from the rows left at the record's first node
        chain = layout.chain[np.argmax(layout.record == record)]
        first = self.linear.first[chain][:states]
        inverse = pseudo_inverse(first[:, :states])
        follow = -inverse @ first[:, states:-1]
        root = _root(covariance)
        factor = np.zeros((states + free, free + states))
        factor[:states, :free], factor[states:, :free], factor[:states, free:] = follow @ root, root, inverse
        return factor

    def _std(self, record: int, slope: np.ndarray, where: np.ndarray, factor: np.ndarray) -> np.ndarray:
        layout, states, free = self.segments.layout, self.nodes.shape[1], len(self.p)
        own = np.nonzero(layout.record == record)[0]
        own = own[layout.chain[own] == layout.chain[own[0]]]
        direct = np.concatenate([np.zeros((free, states)), np.eye(free)], axis=1)
        carried = np.eye(states, states + free)  # d(segment start)/d(x_0, p)
        std = np.full(slope.shape[:2], np.nan)
        edges = np.searchsorted(where, np.append(own, own[-1] + 1))
        with np.errstate(all="ignore"):
            for k, a, b in zip(own, edges[:-1], edges[1:], strict=True):
                total = slope[a:b, :, :states] @ carried + slope[a:b, :, states:] @ direct
                std[a:b] = np.linalg.norm(total @ factor, axis=-1)
                transition = self.evaluation.transition[k]
                carried = transition[:, :states] @ carried + transition[:, states:] @ direct
        return np.where(np.isfinite(std), std, np.nan)


def _root(covariance: np.ndarray) -> np.ndarray:
    values, vectors = np.linalg.eigh(covariance)
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0)))
