"""Without a model: the restoring force that a record asks for, found with every mechanism of damping allowed for.

Shapes are tried from the plainest upward, straight, one term more, two terms more and so on, each by whole
trajectories from its own regression (`restoring_shapes`). A level that explains no more than the one below it, as the
information criterion counts, is the last. The criterion is that of white residuals: a restoring force gives back
what it takes, so a term too many does no harm to the damping, while one that is missing does.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

import numpy as np

from identikit.decay._evidence import criterion
from identikit.decay._laws import DecayFits, LawFit
from identikit.decay._settings import RANKING
from identikit.diagnose import residual_colour
from identikit.likelihood import Preparation
from identikit.method.multiple_shooting import Start
from identikit.oscillation import KAPPA, OSCILLATION, MotionSample, RestoringShape, restoring_shapes
from identikit.problem import Problem
from identikit.progress import Progress


def promising_shapes(problem: Problem, preparation: Preparation) -> list[RestoringShape]:
    """Shapes from the plainest upward, without those that leave far more over than others do."""
    found = restoring_shapes(_motion(problem, preparation), problem.start["x0"])
    if not found:
        return []
    least = min(shape.left for shape in found)
    kept = [shape for shape in found if shape.left <= RANKING.hopeless_shape * least]
    return sorted(kept, key=lambda shape: (len(shape.terms), shape.criterion))


def with_restoring_force(
    fits: DecayFits, shapes: list[RestoringShape], progress: Progress
) -> LawFit | None:
    """The law with every mechanism and the best shape; None if none of them can be integrated."""
    best: LawFit | None = None
    attempts = progress.attempts()
    for _, level in groupby(shapes, key=lambda shape: len(shape.terms)):
        better = best
        for shape in level:
            if better is not None and better.converged and whitened(better):
                return better  # nothing is left over that a further term could explain
            unused = tuple(name for name in shape.unused if name in fits.problem.free)
            fit = fits.all_together(_starts(fits.problem, shape, best), next(attempts), unused)
            if fit is not None and (better is None or _rank(fit) < _rank(better)):
                better = fit
            if progress.stopped:
                return better
        if better is best and best is not None:
            break
        best = better
    return best


def whitened(fit: LawFit) -> bool:
    """Whether a fit leaves nothing over but noise."""
    return all(residual_colour(column)[0] for column in fit.residual.T)


def _rank(fit: LawFit) -> tuple[bool, float]:
    return not fit.converged, criterion(fit, 1.0)


def _starts(problem: Problem, shape: RestoringShape, plainer: LawFit | None) -> Iterator[Start]:
    """Free parameters to begin with: the regression's; its force with the damping of a plainer fit; turning points."""
    regressed = np.array([shape.values[name] for name in problem.free])
    yield Start(regressed, "regression")
    if plainer is not None:
        force = [name in (*shape.terms, KAPPA, "w0", "x0") for name in problem.free]
        yield Start(np.where(force, regressed, plainer.p), "regression, damping of a plainer force")
    read = np.array([problem.start[name] for name in problem.free])
    force = [name in shape.terms for name in problem.free]
    yield Start(np.where(force, regressed, read), "turning points")


def _motion(problem: Problem, preparation: Preparation) -> MotionSample:
    """Position, velocity and acceleration along the smoothed records."""
    parts, cycles = [], 0.0
    for record, curves in zip(problem.records, preparation.curves, strict=True):
        own = float(np.ptp(record.time)) / curves[0].time_scale
        time = np.linspace(record.time[0], record.time[-1], max(int(OSCILLATION.shape_points * own), 2))
        parts.append(np.stack([curves[0](time, d) for d in range(3)]))
        cycles += own
    x, v, a = np.concatenate(parts, axis=1)
    return MotionSample(x, v, a, cycles)
