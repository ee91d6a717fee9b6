"""How fast a model moves: the period of its forcing, and that of its own motion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

import numpy as np
import sympy as sp

from identikit.errors import ModelError
from identikit.explore._flow import Flow, with_values
from identikit.model import TIME, Model
from identikit.simulation import Pieces, Solution, initial_vector, simulate

FEWEST_SHOWN, MOST_SHOWN = 2000, 50_000  # samples of a motion, however short and however long it is
PER_TURN = 40  # samples in a turn of the fastest motion
COMMENSURATE = 1000  # frequencies in ratios of whole numbers up to this have a common period


@dataclass(frozen=True)
class Forcing:
    """The common `period` of all that depends on time, and that of the slowest `wave` in it."""

    period: float
    wave: float


def forcing(model: Model, parameters: Mapping[str, float] | None = None) -> Forcing | None:
    """How a model is forced in time; None if nothing in it depends on time.

    Time may enter only through sines and cosines (and their like) of w t + phase, with frequencies w that are in ratios
    of whole numbers.
    """
    equations = with_values(model, parameters)
    if not any(TIME in equation.free_symbols for equation in equations):
        return None
    waves: set[sp.Expr] = set().union(*(equation.atoms(sp.sin, sp.cos, sp.tan) for equation in equations))
    waves = {wave for wave in waves if wave.args[0].free_symbols == {TIME} and sp.diff(wave.args[0], TIME).is_number}
    masked = [equation.xreplace({wave: sp.Dummy() for wave in waves}) for equation in equations]
    if any(TIME in equation.free_symbols for equation in masked):
        raise ModelError(
            f"model '{model.name}' depends on time in a way that does not repeat, so it has no period of forcing: "
            "change its inputs or the parameters of its forcing"
        )
    frequencies = sorted(abs(float(sp.diff(wave.args[0], TIME))) for wave in waves)
    ratios = [Fraction(w / frequencies[0]).limit_denominator(COMMENSURATE) for w in frequencies]
    if any(abs(float(ratio) * frequencies[0] - w) > 1e-9 * w for ratio, w in zip(ratios, frequencies, strict=True)):
        listed = ", ".join(f"{w:g}" for w in frequencies)
        raise ModelError(f"the forcing of model '{model.name}' has no common period: its frequencies are {listed}")
    common = Fraction(gcd(*(r.numerator for r in ratios)), lcm(*(r.denominator for r in ratios)))
    wave = 2 * np.pi / frequencies[0]
    return Forcing(wave / float(common), wave)


def rates_at(model: Model, parameters: Mapping[str, float] | None, initial: Mapping[str, float] | None) -> np.ndarray:
    """Eigenvalues of the linearised model at its start, with the inputs at their own values; zero for a function."""
    if not model.symbolic:
        return np.zeros(1)
    flow = Flow(model, parameters)
    with np.errstate(all="ignore"):
        slope = flow.jacobian(0.0, initial_vector(model, initial))
    return np.linalg.eigvals(slope) if np.isfinite(slope).all() else np.zeros(1)


def usual_duration(
    model: Model, parameters: Mapping[str, float] | None = None, initial: Mapping[str, float] | None = None
) -> float:
    """That of the example experiment, else 30 turns of the fastest motion at the start, else 10 units of time."""
    if model.ready is not None:
        return model.ready.duration
    fastest = float(np.abs(rates_at(model, parameters, initial)).max())
    return 30 * 2 * np.pi / fastest if fastest > 0 else 10.0


def usual_times(
    model: Model,
    duration: float,
    parameters: Mapping[str, float] | None = None,
    initial: Mapping[str, float] | None = None,
) -> np.ndarray:
    """Samples of a motion so dense that nothing falls between them."""
    fastest = float(np.abs(rates_at(model, parameters, initial).imag).max())
    wanted = PER_TURN * duration * fastest / (2 * np.pi)
    if model.ready is not None:
        wanted = max(wanted, duration / model.ready.spacing)
    return np.linspace(0.0, duration, 1 + int(np.clip(wanted, FEWEST_SHOWN, MOST_SHOWN)))


@dataclass(frozen=True)
class Rhythm:
    """The state that rises through its mean `level` most often, and the mean time between two such rises."""

    name: str
    level: float
    period: float


def rhythm(model: Model, motion: Solution) -> Rhythm | None:
    """How a motion swings; None if no state rises twice through the middle of its way.

    Of states that rise nearly equally often it is the first. The middle is the mean, or zero if that is as good.
    """
    found = []
    for name, row in zip(model.state_names, motion.states, strict=True):
        if np.ptp(row) <= 1e-9 * np.abs(row).max(initial=0.0):
            continue
        level = middle_of(row)
        rises = np.nonzero((row[:-1] < level) & (row[1:] >= level))[0]
        if len(rises) > 1:
            period = float(motion.time[rises[-1]] - motion.time[rises[0]]) / (len(rises) - 1)
            found.append((len(rises), Rhythm(name, level, period)))
    most = max((count for count, _ in found), default=0)
    return next((item for count, item in found if count >= 0.9 * most), None)


def middle_of(row: np.ndarray) -> float:
    """The mean, or zero where that is as near as makes no difference."""
    mean, spread = float(np.mean(row)), float(np.std(row))
    return 0.0 if abs(mean) < 0.02 * spread else mean


def usual_period(
    model: Model,
    parameters: Mapping[str, float] | None = None,
    initial: Mapping[str, float] | None = None,
    inputs: Pieces | None = None,
) -> float:
    """A time to measure others by: the period of the forcing's slowest wave.

    Without forcing it is the period of the motion from the start, or a tenth of the usual duration if that does not
    swing.
    """
    if model.symbolic:
        forced = forcing(model, parameters)
        if forced is not None:
            return forced.wave
    duration = usual_duration(model, parameters, initial)
    motion = simulate(model, usual_times(model, duration, parameters, initial), parameters, initial, inputs, 1e-9)
    found = rhythm(model, motion)
    return found.period if found else duration / 10
