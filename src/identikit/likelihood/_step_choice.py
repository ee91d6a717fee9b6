"""How many integration steps each interval between samples asks for.

Friction that turns within a fraction of a sample, at every reversal, asks for short steps there and nowhere else. From
the state at each sample, the interval is crossed by one Runge-Kutta step and by four. Their difference is the error of
the one; with n steps it is taken to be n^2 times less. Where the motion is smooth it would be n^4, but there it is far
below anything that counts; within a sharp turn it is n^2 until the turn is resolved.

Switches stay on the side where they are: they are found exactly anyway, and the smooth motion on either side is what
steps have to follow.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from identikit.likelihood._block_model import BlockModel
from identikit.model import branch_of, dynamics_of
from identikit.simulation import Drive

_FINE = 4  # steps that one is compared with


def step_errors(blocks: BlockModel, free: np.ndarray, states: np.ndarray) -> np.ndarray:
    """Error [samples] of one step from each sample to the next, the largest of all states in units of their sizes."""
    problem, offset = blocks.problem, 0
    p = list(problem.vector(free))
    found = []
    for record in problem.records:
        own = slice(offset, offset + len(record.time))
        offset = own.stop
        h = np.diff(record.time, append=record.time[-1])
        begun = (record.time, states[own].T)
        index = record.pieces.index(record.time)
        drive = Drive(p, np.moveaxis(record.pieces.coefficients[index], 0, -1), record.pieces.begins[index])
        rate = _Rate(blocks, drive, *begun)
        with np.errstate(all="ignore"):
            off = np.abs(_crossed(rate, *begun, h, 1) - _crossed(rate, *begun, h, _FINE))
        found.append(np.max(off / blocks.scale[:, None], axis=0))
    return np.nan_to_num(np.concatenate(found), nan=np.inf)


def steps_asked_for(errors: np.ndarray, tolerance: float, most: int) -> np.ndarray:
    """Steps [samples] by which the error of each interval stays within a tolerance, in units of the states' sizes.

    The neighbours of an interval get as many: while a search moves a sharp turn from one interval to the next, nothing
    may jump.
    """
    with np.errstate(over="ignore"):
        own = np.clip(np.ceil(np.sqrt(errors / tolerance)), 1, most).astype(int)
    return np.asarray(np.maximum(own, np.maximum(np.append(own[1:], 1), np.append(1, own[:-1]))))


class _Rate:
    """dx/dt [states, samples] with switches and kinks on the side where they are at the samples."""

    def __init__(self, blocks: BlockModel, drive: Drive, t: np.ndarray, x: np.ndarray) -> None:
        model = blocks.problem.model
        self.dynamics, self.drive, self.xp = dynamics_of(model), drive, _module(model.symbolic)
        self.signs, self.sides = branch_of(self.dynamics, t, list(x), drive.inputs(t)[0], drive.p)

    def __call__(self, t: np.ndarray, x: np.ndarray) -> np.ndarray:
        u, du = self.drive.inputs(t)
        found = self.dynamics.rate(self.xp, t, list(x), u, du, self.drive.p, self.signs, self.sides)
        return np.stack([np.broadcast_to(rate, t.shape) for rate in found])


def _module(symbolic: bool) -> Any:
    if symbolic:
        return np
    from identikit.simulation import jax

    return jax().numpy


def _crossed(rate: _Rate, t: np.ndarray, x: np.ndarray, h: np.ndarray, steps: int) -> np.ndarray:
    """x a time h later, by classical Runge-Kutta steps."""
    part = h / steps
    for index in range(steps):
        at = t + index * part
        first = rate(at, x)
        second = rate(at + part / 2, x + part / 2 * first)
        third = rate(at + part / 2, x + part / 2 * second)
        fourth = rate(at + part, x + part * third)
        x = x + part / 6 * (first + 2 * second + 2 * third + fourth)
    return x
