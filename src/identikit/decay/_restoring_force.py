"""Without a model: the restoring force that a record asks for, found with every mechanism of damping allowed for.

Shapes are tried from the plainest upward, straight, one term more, two terms more and so on, each by whole
trajectories from its own regression (`restoring_shapes`). A level that explains no more than the one below it, as the
information criterion counts, is the last; so is one that leaves nothing but white noise. The criterion is that of white
residuals: a restoring force gives back what it takes, so a term too many does no harm to the damping, while one that is
missing does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, islice

import numpy as np

from identikit.decay._settings import RANKING
from identikit.diagnose import residual_colour
from identikit.likelihood import Outcome, Preparation
from identikit.oscillation import OSCILLATION, STIFFNESS, MotionSample, RestoringShape, restoring_shapes
from identikit.problem import Problem
from identikit.progress import Progress


@dataclass(frozen=True)
class RestoringForce:
    """The problem with the parameters of one shape free, the others fixed where they have no effect; `p` the free
    parameters at which the law with every mechanism fits it."""

    problem: Problem
    p: np.ndarray


@dataclass(frozen=True)
class _Trial:
    unused: tuple[str, ...]
    outcome: Outcome

    @property
    def rank(self) -> tuple[bool, float]:
        """Smaller is better: Bayesian information criterion, of those that settled."""
        unknowns = len(self.outcome.p) - len(self.unused)
        samples = int(np.isfinite(self.outcome.residual).sum())
        return not self.settled, self.outcome.misfit + unknowns * float(np.log(samples))

    @property
    def settled(self) -> bool:
        """Whether it came to an end that explains the motion: a body held still by absurd damping is no decay."""
        spread = np.nanstd(self.outcome.iteration.segments.measured, axis=0)
        return self.outcome.converged and bool((self.outcome.sigma < RANKING.explained * spread).all())

    @property
    def nothing_left(self) -> bool:
        """Whether what is left over is white noise."""
        return self.settled and all(residual_colour(column)[0] for column in self.outcome.residual.T)


def restoring_force(problem: Problem, preparation: Preparation, progress: Progress) -> RestoringForce | None:
    """The best shape for a problem of the oscillator model; None if none of them can be integrated."""
    best: _Trial | None = None
    attempts = progress.attempts()
    shapes = _promising(problem, preparation)
    guess, measure = _measure(problem, preparation, shapes, attempts)
    for _, level in groupby(shapes, key=lambda shape: len(shape.terms)):
        better = best
        for shape in level:
            if better is not None and (better.nothing_left or progress.stopped):
                break
            found = measure if shape is guess else None
            if found is None:
                found = _from_starts(problem, preparation, shape, best, measure, attempts)
            if found is not None and (better is None or _preferred(found, better)):
                better = found
        if better is best and best is not None:
            break
        best = better
    if best is None:
        return None
    kept = [name not in best.unused for name in problem.free]
    return RestoringForce(problem.fixed_at(_without_effect(problem, best.unused)), best.outcome.p[kept])


def _measure(
    problem: Problem, preparation: Preparation, shapes: list[RestoringShape], attempts: Iterator[Progress]
) -> tuple[RestoringShape | None, _Trial | None]:
    """The first shape to settle of those that the regression thinks best: by it others are given up early."""
    for shape in sorted(shapes, key=lambda shape: shape.criterion)[: RANKING.guessed_shapes]:
        unused = tuple(name for name in shape.unused if name in problem.free)
        found = _fitted(problem, preparation, next(_starts(problem, shape, None)), unused, None, next(attempts))
        if found is not None and found.settled:
            return shape, found
    return None, None


def _from_starts(
    problem: Problem,
    preparation: Preparation,
    shape: RestoringShape,
    plainer: _Trial | None,
    measure: _Trial | None,
    attempts: Iterator[Progress],
) -> _Trial | None:
    """A shape from one start after the other, until it settles or is not worth it; the best of them."""
    unused = tuple(name for name in shape.unused if name in problem.free)
    best: _Trial | None = None
    # where another shape fits already, a start that goes astray is a sign of the wrong shape
    for start in islice(_starts(problem, shape, plainer), None if measure is None else 1):
        found = _fitted(problem, preparation, start, unused, measure, next(attempts))
        if found is not None and (best is None or found.rank < best.rank):
            best = found
        if found is not None and (found.settled or _hopeless(found.outcome, measure)):
            break
    return best


def _preferred(new: _Trial, old: _Trial) -> bool:
    """Whether a shape is better, and by more than a trifle if both leave a pattern over: something else is missing
    then, and many samples would buy terms that mean nothing."""
    if old.settled != new.settled or len(new.unused) >= len(old.unused):
        return new.rank < old.rank
    lower = bool((new.outcome.sigma < (1 - RANKING.trifle) * old.outcome.sigma).any())
    return new.rank < old.rank and (lower or new.nothing_left)


def _promising(problem: Problem, preparation: Preparation) -> list[RestoringShape]:
    """Shapes from the plainest upward, without those that leave far more over than others do."""
    found = restoring_shapes(_motion(problem, preparation), problem.start["x0"])
    least = min((shape.left for shape in found), default=0.0)
    kept = [shape for shape in found if shape.left <= RANKING.hopeless_shape * least]
    return sorted(kept, key=lambda shape: (len(shape.terms), shape.criterion))


def _hopeless(outcome: Outcome, measure: _Trial | None) -> bool:
    """Whether segments that need not even meet leave far more over than another shape's trajectory."""
    if measure is None or not measure.settled:
        return False
    return bool((outcome.sigma > RANKING.hopeless_shape * measure.outcome.sigma).all())


def _fitted(
    problem: Problem,
    preparation: Preparation,
    start: np.ndarray,
    unused: tuple[str, ...],
    measure: _Trial | None,
    progress: Progress,
) -> _Trial | None:
    pinned = {problem.free.index(name): value for name, value in _without_effect(problem, unused).items()}
    p = start.copy()
    p[list(pinned)] = list(pinned.values())
    nodes = preparation.nodes(p)
    solver = preparation.solver(nodes, pinned=pinned)
    rounds = RANKING.shape_rounds if measure is None else RANKING.compared_rounds
    outcome = solver.run(p, nodes, preparation.sigma, progress, grows=False, most_rounds=rounds)
    if outcome is not None and not (outcome.converged or outcome.stopped or _hopeless(outcome, measure)):
        # a force that is only nearly right does not join short segments: go on from there with longer ones
        tether = RANKING.first_tether
        longer = solver.run(outcome.p, outcome.nodes, outcome.sigma, progress, tether, most_rounds=rounds)
        outcome = longer if longer is not None and longer.converged else outcome
    return None if outcome is None else _Trial(unused, outcome)


def _without_effect(problem: Problem, unused: tuple[str, ...]) -> dict[str, float]:
    """Values at which parameters of the restoring force have no effect: the oscillator's own."""
    return {name: float(problem.model.parameter(name).value or 0.0) for name in unused}


def _starts(problem: Problem, shape: RestoringShape, plainer: _Trial | None) -> Iterator[np.ndarray]:
    """Free parameters to begin with: the regression's; its force with the damping of a plainer fit; turning points."""
    regressed = np.array([shape.values[name] for name in problem.free])
    yield regressed
    if plainer is not None:
        force = [name in (*STIFFNESS, "w0", "x0") for name in problem.free]
        yield np.where(force, regressed, plainer.outcome.p)
    read = np.array([problem.start[name] for name in problem.free])
    yield np.where([name in shape.terms for name in problem.free], regressed, read)


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
