"""Blocks of a record, of about as much work each, and integration steps as short as the motion asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from identikit.likelihood import Layout, Trace, step_errors, steps_asked_for
from identikit.method.filtering._settings import KALMAN
from identikit.problem import Problem

if TYPE_CHECKING:
    from identikit.method.filtering._smoother import Smoothed


def blocks_of(problem: Problem, most: int, work: np.ndarray | None = None) -> Layout:
    """Every record in blocks of about as much work, `most` in all; `work` [samples] is that from each sample to the
    next, by default the same for all."""
    samples = np.array([len(record.time) for record in problem.records])
    work = np.ones(samples.sum()) if work is None else work
    begin, end, first, which, offset = [], [], [np.zeros(1, int)], [], 0
    for index, record in enumerate(problem.records):
        done = np.append(0, np.cumsum(work[offset : offset + samples[index] - 1]))
        wished = max(1, round(most * samples[index] / samples.sum()))
        count = int(np.clip(wished, 1, max(1, (samples[index] - 1) // KALMAN.fewest_block_samples)))
        edges = np.unique(np.searchsorted(done, np.linspace(0, done[-1], count + 1)))
        begin.append(record.time[edges[:-1]])
        end.append(record.time[edges[1:]])
        first.append(offset + np.append(edges[1:-1], samples[index]))
        which.append(np.full(len(edges) - 1, index))
        offset += samples[index]
    owner = np.concatenate(which)
    return Layout(
        np.concatenate(begin), np.concatenate(end), np.concatenate(first), owner, owner, np.zeros(len(owner), np.bool_)
    )


def resolved(now: Smoothed, trace: Trace) -> Smoothed | None:
    """The same by as many integration steps as the motion asks for; None if the present ones will do.

    Errors far below the noise of a sample count: they are the same in every reversal.
    """
    blocks, states = now.smoother.blocks, now.point.evaluation.states
    assert states is not None
    errors = step_errors(blocks, now.p, states)
    asked = steps_asked_for(errors, KALMAN.step_error * told(now) / np.sqrt(len(errors)), KALMAN.most_steps)
    if (asked <= KALMAN.nearly_enough * blocks.steps).all():
        return None
    steps = np.maximum(blocks.steps, asked)
    return now.recut(blocks_of(blocks.problem, len(blocks.layout.begin), steps), steps, trace)


def told(now: Smoothed) -> float:
    """What the record can tell of a state, in units of its size: the noise of the mean of all samples."""
    noise = now.smoother.blocks.noise
    known = np.isfinite(noise.measured).sum(axis=0)
    size = np.nanstd(noise.measured, axis=0)
    scale = 1.0 if noise.spread is None else np.median(noise.spread, axis=0)
    told = now.smoother.sigma * scale / np.maximum(size, 1e-300) / np.sqrt(np.maximum(known, 1))
    return float(np.min(told))
