"""From a start to smoothed states and parameters: loose blocks first, then levels of noise, then the end.

Deviations between blocks are let pass at first, as if there were much process noise, so that every block follows its
own data and no start has to be near. There the likeliest levels are sought. Without process noise, what is let pass is
taken back step by step until there is one trajectory; with it, levels and smoothing take turns, in blocks so short that
noise may be taken to act between them.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from identikit.likelihood import LIKELIHOOD, BlockModel, Preparation, Trace
from identikit.method.filtering._blocks import blocks_of, resolved, told
from identikit.method.filtering._levels import OpenLevels, with_best_levels, with_better_levels
from identikit.method.filtering._settings import KALMAN
from identikit.method.filtering._smoother import Smoothed, Smoother, smooth
from identikit.progress import Progress


def begin(
    preparation: Preparation, p: np.ndarray, intensity: np.ndarray, sigma: np.ndarray, trace: Trace
) -> Smoothed | None:
    """The blocks at a start, with levels of noise; None if the model cannot be integrated there.

    Steps are as short as the motion asks for from the beginning: friction that turns within one would tell the search
    nothing, or the wrong way.
    """
    nodes = preparation.nodes(p)
    sizes = preparation.solver(nodes).sizes
    steps = _first_steps(preparation)
    room = int(KALMAN.spare_steps * np.add.reduceat(steps, preparation.layout.first_sample[:-1]).max())
    blocks = BlockModel(preparation.problem, preparation.layout, preparation.tolerance, sizes, steps, room)
    smoother = Smoother(blocks, sizes, p, intensity, sigma)
    point = smoother.iteration(None).at(p, nodes, smoother.sigma, trace, None)
    if point is None:
        return None
    begun = smoother.at(point, KALMAN.loosest, 1.0)
    return resolved(begun, trace) or begun


def _first_steps(preparation: Preparation) -> np.ndarray:
    """Integration steps from each sample to the next, for samples further apart than the motion lets a step be."""
    found = []
    for record, curves in zip(preparation.problem.records, preparation.curves, strict=True):
        apart = float(np.median(np.diff(record.time))) / min(curve.time_scale for curve in curves)
        steps = int(np.clip(np.ceil(apart / KALMAN.step), 1, KALMAN.most_steps))
        found.append(np.full(len(record.time), steps))
    return np.concatenate(found)


def _stages(first: int, count: int) -> list[float]:
    """What is let pass between blocks in each stage."""
    return [KALMAN.loosest * KALMAN.tighter**stage for stage in range(first, first + count)]


def loosely(begun: Smoothed, progress: Progress, trace: Trace) -> Smoothed:
    """Every block follows its own data, less and less freely."""
    now = begun
    for looseness in _stages(0, KALMAN.loose_stages):
        now = now.smoother.at(now.point, looseness, now.iteration.spread, now.disturbed)
        now = smooth(now, progress, trace, KALMAN.stage_rounds, False)
        if now.stopped:
            return now
        now = resolved(now, trace) or now
    return now


def to_the_end(
    loose: Smoothed, wanted: OpenLevels, own_noise: np.ndarray, progress: Progress, trace: Trace
) -> Smoothed:
    """With levels of noise where they are open: one trajectory, or a smoothed one.

    One trajectory is tried first. Where it leaves no more than the noise that the record itself shows, levels are
    sought about it, where parameters are at their best; where it does not, about the loose blocks, which follow the
    record.
    """
    if loose.stopped:
        return loose
    if loose.smoother.disturbed:
        return _smoothed(replace(loose, looseness=KALMAN.tight), wanted, progress, trace)
    one = _one_trajectory(loose, progress, trace)
    if one.stopped or not wanted.states:
        return one
    about = one if explains(one, own_noise) else loose
    found = with_best_levels(replace(about, looseness=KALMAN.tight), wanted)
    return _smoothed(found, wanted, progress, trace) if found.smoother.disturbed else one


def explains(found: Smoothed, own_noise: np.ndarray) -> bool:
    """Whether no more is left than the noise that the record itself shows [outputs]."""
    return found.converged and bool((found.smoother.sigma <= KALMAN.near_noise * own_noise).all())


def _smoothed(now: Smoothed, wanted: OpenLevels, progress: Progress, trace: Trace) -> Smoothed:
    """Smoothing and levels in turn, until the levels stay."""
    for _ in range(KALMAN.level_rounds):
        now = _in_short_blocks(now, trace)
        now = resolved(now, trace) or now
        now = smooth(now, progress, trace, KALMAN.final_rounds, True)
        if now.stopped:
            return now
        before = np.append(now.smoother.intensity, now.smoother.sigma)
        found = with_better_levels(now.ready_for_levels(), wanted)
        after = np.append(found.smoother.intensity, found.smoother.sigma)
        now = replace(found, converged=now.converged)
        if not found.smoother.disturbed:
            return _one_trajectory(now, progress, trace)
        with np.errstate(divide="ignore", invalid="ignore"):
            if np.nanmax(np.abs(after / before - 1)) < KALMAN.same_level:
                break
    return now


def _one_trajectory(now: Smoothed, progress: Progress, trace: Trace) -> Smoothed:
    for looseness in _stages(KALMAN.loose_stages, KALMAN.tight_stages):
        now = now.smoother.at(now.point, looseness, now.iteration.spread)
        now = smooth(now, progress, trace, KALMAN.stage_rounds, False)
        if now.stopped:
            return now
        now = resolved(now, trace) or now
    tight = KALMAN.let_pass * told(now) / np.sqrt(len(now.point.nodes))
    tight = float(np.clip(tight, LIKELIHOOD.tightest_tether, KALMAN.loosest))
    last = smooth(now.smoother.at(now.point, tight, KALMAN.spread), progress, trace, KALMAN.final_rounds, True)
    # what is let pass is far below what can be seen; what is known is said of one trajectory
    end = last.smoother.at(last.point, LIKELIHOOD.tightest_tether, KALMAN.spread)
    return replace(end, converged=last.converged, stopped=last.stopped)


def _in_short_blocks(now: Smoothed, trace: Trace) -> Smoothed:
    """The same in blocks so short that process noise does next to nothing within one."""
    blocks = now.smoother.blocks
    factor = _excess(now)
    samples = np.diff(blocks.layout.first_sample).mean()
    most = min(len(blocks.layout.begin) * min(factor, samples), KALMAN.finest_blocks)
    layout = blocks_of(blocks.problem, int(most))
    if len(layout.begin) <= 1.2 * len(blocks.layout.begin):
        return now.smoother.at(now.point, KALMAN.tight, KALMAN.spread, now.disturbed)
    short = now.recut(layout, blocks.steps, trace)
    assert short is not None
    return short.smoother.at(short.point, KALMAN.tight, KALMAN.spread)


def _excess(now: Smoothed) -> float:
    """How many times shorter blocks should be: the variance that process noise adds to outputs within a block grows
    with the cube of its length at least in a state whose rate it drives, with the length in its own."""
    blocks = now.smoother.blocks
    assert now.iteration.process is not None
    spread = np.linalg.inv(now.iteration.process)
    last = blocks.layout.first_sample[1:] - 1
    slope = now.point.evaluation.slope[last][..., : len(now.smoother.sizes)]
    added = np.sum(np.einsum("koi,kij->koj", slope, spread) ** 2, axis=-1)
    level = now.smoother.sigma * (1.0 if blocks.noise.spread is None else np.median(blocks.noise.spread, axis=0))
    samples = np.diff(blocks.layout.first_sample).mean()
    ratio = samples * float(np.max(np.median(added, axis=0) / level**2)) / KALMAN.whole_blocks
    return float(max(1.0, ratio**0.5))
