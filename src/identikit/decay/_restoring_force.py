"""Without a model: the restoring force that a record asks for, found with every mechanism of damping allowed for.

Shapes are tried from the plainest upward, straight, one term more, two terms more and so on, each by whole
trajectories, from its own regression (`restoring_shapes`) and, if it is part of a shape that fits already, from where
that one ended. A level that explains no more than the one below it is the last; so is one that leaves nothing but white
noise. A shape with k terms more explains more if

    (what -2 ln L gains) / inflation  >  k ln(n) + 2 ln(shapes of that size),

where `inflation` says how often the residuals of the larger shape count the same information, for the terms in question
(`_evidence`); the last term allows for the choice among shapes (J. Chen, Z. Chen, Biometrika 95 (2008) 759).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby, islice

import numpy as np

from identikit.decay._evidence import inflation
from identikit.decay._laws import LawStart
from identikit.decay._settings import RANKING
from identikit.diagnose import residual_colour
from identikit.likelihood import Outcome, Preparation, smooth_curves
from identikit.measurement import SmoothCurve, noise_level
from identikit.oscillation import OSCILLATION, STIFFNESS, MotionSample, RestoringShape, restoring_shapes
from identikit.problem import Problem
from identikit.progress import Progress


@dataclass(frozen=True)
class RestoringForce:
    """The problem with the parameters of one shape free, the others fixed where they have no effect, and where the law
    with every mechanism fits it."""

    problem: Problem
    begun: LawStart


@dataclass(frozen=True)
class _Trial:
    unused: tuple[str, ...]
    outcome: Outcome

    @property
    def rank(self) -> tuple[bool, float]:
        """Smaller is better: Bayesian information criterion, of those that settled."""
        unknowns = len(self.outcome.p) - len(self.unused)
        return not self.settled, self.outcome.misfit + unknowns * float(np.log(self.samples))

    @property
    def samples(self) -> int:
        return int(np.isfinite(self.outcome.residual).sum())

    @property
    def settled(self) -> bool:
        """Whether it came to an end that explains the motion: a body held still by absurd damping is no decay."""
        spread = np.nanstd(self.outcome.iteration.segments.measured, axis=0)
        return self.outcome.converged and bool((self.outcome.sigma < RANKING.explained * spread).all())

    @property
    def nothing_left(self) -> bool:
        """Whether what is left over is white noise."""
        return self.settled and all(residual_colour(column)[0] for column in self.outcome.residual.T)


def restoring_force(preparation: Preparation, progress: Progress) -> RestoringForce | None:
    """The best shape for a problem of the oscillator model; None if none of them can be integrated."""
    problem = preparation.problem
    fits = _ShapeFits(preparation, _coarse(preparation), progress)
    best: _Trial | None = None
    everything = restoring_shapes(_motion(preparation), problem.start["x0"])
    shapes = _promising(everything)
    guess, measure = fits.measure(shapes)
    for level in (list(own) for _, own in groupby(shapes, key=lambda shape: len(shape.terms))):
        better = best
        for shape in level:
            if better is not None and (better.nothing_left or progress.stopped):
                break
            found = measure if shape is guess else None
            if found is None:
                found = fits.from_starts(shape, best, measure)
            if found is not None and (better is None or _preferred(found, better, len(level))):
                better = found
        if better is best and best is not None:
            break
        best = better
    if best is None:
        return None
    best = fits.plainer(best, [shape for shape in everything if shape not in shapes])
    kept, ended = [name not in best.unused for name in problem.free], best.outcome
    begun = LawStart(ended.p[kept], ended.nodes, ended.layout.sampled(problem), ended.sigma)
    return RestoringForce(problem.fixed_at(_without_effect(problem, best.unused)), begun)


class _ShapeFits:
    """Fits of shapes: found with few samples per oscillation, which is quick, and finished with all of them."""

    def __init__(self, preparation: Preparation, coarse: Preparation, progress: Progress) -> None:
        self._preparation, self._coarse = preparation, coarse
        self._problem = preparation.problem
        self._attempts = progress.attempts()

    def measure(self, shapes: list[RestoringShape]) -> tuple[RestoringShape | None, _Trial | None]:
        """The first shape to settle of those that the regression thinks best: by it others are given up early."""
        for shape in sorted(shapes, key=lambda shape: shape.criterion)[: RANKING.guessed_shapes]:
            start = next(_starts(self._problem, shape, None))
            found = self._found(start, self._unused(shape), None)
            if found is not None and found.settled:
                return shape, found
        return None, None

    def from_starts(self, shape: RestoringShape, plainer: _Trial | None, measure: _Trial | None) -> _Trial | None:
        """A shape from one start after the other, until it settles or is not worth it; the best of them."""
        unused = self._unused(shape)
        best: _Trial | None = None
        if measure is not None and set(measure.unused) < set(unused):
            # a shape without some of the terms is near the one that has them, if it does not need them
            best = self._finished(measure.outcome, unused, RANKING.compared_rounds)
            if best is not None and best.settled:
                return best
        # where another shape fits already, a start that goes astray is a sign of the wrong shape
        for start in islice(_starts(self._problem, shape, plainer), None if measure is None else 1):
            found = self._found(start, unused, measure)
            if found is not None and (best is None or found.rank < best.rank):
                best = found
            if found is not None and (found.settled or _hopeless(found.outcome, measure)):
                break
        return best

    def plainer(self, best: _Trial, shapes: list[RestoringShape]) -> _Trial:
        """The plainest of some shapes that are part of the best one and explain as much, else that one: the regression
        may have been wrong to leave them out."""
        for shape in sorted(shapes, key=lambda shape: len(shape.terms)):
            unused = self._unused(shape)
            if not best.settled or not set(best.unused) < set(unused):
                continue
            found = self._finished(best.outcome, unused, RANKING.compared_rounds)
            if found is not None and found.settled and not _preferred(best, found, len(shapes)):
                return found
        return best

    def _found(self, start: np.ndarray, unused: tuple[str, ...], measure: _Trial | None) -> _Trial | None:
        """One shape from free parameters and the smoothed record."""
        progress, coarse = next(self._attempts), self._coarse
        pinned, p = self._pinned(start, unused)
        nodes = coarse.nodes(p)
        solver = coarse.solver(nodes, pinned=pinned)
        rounds = RANKING.shape_rounds if measure is None else RANKING.compared_rounds
        outcome = solver.run(p, nodes, coarse.sigma, progress, grows=False, most_rounds=rounds)
        if outcome is not None and not (outcome.converged or outcome.stopped or _hopeless(outcome, measure)):
            # a force that is only nearly right does not join short segments: go on from there with longer ones
            tether = RANKING.first_tether
            longer = solver.run(outcome.p, outcome.nodes, outcome.sigma, progress, tether, most_rounds=rounds)
            outcome = longer if longer is not None and longer.converged else outcome
        if outcome is None:
            return None
        found = _Trial(unused, outcome)
        if not found.settled or coarse is self._preparation:
            return found
        return self._finished(outcome, unused, rounds)

    def _finished(self, ended: Outcome, unused: tuple[str, ...], rounds: int) -> _Trial | None:
        """One shape from where a fit that is near it ended."""
        pinned, p = self._pinned(ended.p, unused)
        own = replace(self._preparation, layout=ended.layout.sampled(self._problem))
        solver = own.solver(ended.nodes, pinned=pinned)
        outcome = solver.run(p, ended.nodes, ended.sigma, next(self._attempts), RANKING.first_tether, False, rounds)
        return None if outcome is None else _Trial(unused, outcome)

    def _pinned(self, start: np.ndarray, unused: tuple[str, ...]) -> tuple[dict[int, float], np.ndarray]:
        """What is kept without effect, by its place among the free parameters, and the start with it."""
        free = self._problem.free
        pinned = {free.index(name): value for name, value in _without_effect(self._problem, unused).items()}
        p = start.copy()
        p[list(pinned)] = list(pinned.values())
        return pinned, p

    def _unused(self, shape: RestoringShape) -> tuple[str, ...]:
        return tuple(name for name in shape.unused if name in self._problem.free)


def _coarse(preparation: Preparation) -> Preparation:
    """The same with fewer samples where an oscillation has many."""
    problem = preparation.problem
    dense = [
        len(record.time) * curves[0].time_scale / float(np.ptp(record.time))
        for record, curves in zip(problem.records, preparation.curves, strict=True)
    ]
    stride = int(min(dense) / RANKING.shape_samples)
    if stride < 2:
        return preparation
    thinned = problem.with_records([record.thinned(stride) for record in problem.records])
    made = Preparation.of(thinned, preparation.curves)
    return replace(made, layout=replace(made.layout, resting=np.zeros_like(made.layout.resting)))


def _preferred(new: _Trial, old: _Trial, rivals: int) -> bool:
    """Whether a shape explains more than another, beyond what its further terms and the choice among `rivals` cost."""
    further = len(old.unused) - len(new.unused)
    if old.settled != new.settled or further <= 0:
        return new.rank < old.rank
    free = new.outcome.iteration.segments.problem.free
    terms = [free.index(name) for name in old.unused if name not in new.unused]
    gain = (old.outcome.misfit - new.outcome.misfit) / inflation(new.outcome, terms)
    return gain > further * float(np.log(new.samples)) + 2 * float(np.log(rivals))


def _promising(found: list[RestoringShape]) -> list[RestoringShape]:
    """Shapes from the plainest upward, without those that leave far more over than others do."""
    least = min((shape.left for shape in found), default=0.0)
    kept = [shape for shape in found if shape.left <= RANKING.hopeless_shape * least]
    return sorted(kept, key=lambda shape: (len(shape.terms), shape.criterion))


def _hopeless(outcome: Outcome, measure: _Trial | None) -> bool:
    """Whether segments that need not even meet leave far more over than another shape's trajectory."""
    if measure is None or not measure.settled:
        return False
    return bool((outcome.sigma > RANKING.hopeless_shape * measure.outcome.sigma).all())


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


def _motion(preparation: Preparation) -> MotionSample:
    """Position, velocity and acceleration along the smoothed records."""
    parts, cycles = [], 0.0
    for record, curves in zip(preparation.problem.records, preparation.curves, strict=True):
        own = float(np.ptp(record.time)) / curves[0].time_scale
        time = np.linspace(record.time[0], record.time[-1], max(int(OSCILLATION.shape_points * own), 2))
        parts.append(np.stack([curves[0](time, d) for d in range(3)]))
        cycles += own
    x, v, a = np.concatenate(parts, axis=1)
    return MotionSample(x, v, a, cycles)


def decay_curves(problem: Problem) -> list[list[SmoothCurve]]:
    """One smooth curve per record and output, as coarse as the noise allows, whatever its colour.

    Noise that goes on from sample to sample looks small among neighbours. A curve that takes it for that small follows
    it, and its second derivative is then all noise: no restoring force can be read from it, and no segment begins well.
    A decay is regular enough for the whole of its noise to be known beforehand (`noise_level`).
    """
    plain = smooth_curves(problem)
    return [[_curve(curve) for curve in curves] for curves in plain]


def _curve(plain: SmoothCurve) -> SmoothCurve:
    level = noise_level(plain.time, plain.values).sigma
    return SmoothCurve(plain.time, plain.values, sigma=level) if level > RANKING.slow_noise * plain.sigma else plain
