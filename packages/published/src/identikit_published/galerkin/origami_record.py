"""The stacked Miura-ori on a shaken base: a simulated stand-in for the paper's experiment, and the estimates from it.

    m X'' + c (X' - Y') + F_H(X - Y + X_0) = 0,        Y = Y_0 sin(2 pi 6.6 t)

The paper's record is not available. The stand-in has the values of Tables 3 and 4 as its truth, is shaken like the
paper's, and is cut out at the same time, 27 to 37 s. So the printed values can be compared with nothing, but what the
printed procedure and ours make of such a record can, since its truth is known.

The motion is chaotic: over 37 s a difference in the last bit becomes one as large as the motion, and another processor
makes another motion. So the record is a file, as a measured one is. Beside it the file has other stretches of 3 s, each
of a motion that was released some nanometres higher: what holds of most of them holds of the motion, not of one draw.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from identikit.measurement import Record
from identikit.method.galerkin import Galerkin
from identikit.model import library_model
from identikit.model.library.miura_origami import restoring_force
from identikit.problem import Problem
from identikit.result import Result
from identikit.simulation import noise_deviation
from identikit_published import independent
from identikit_published.galerkin.procedure import Descent, published_descent

Array = NDArray[Any]

TRUTH = {"k_1": 0.0181, "k_2": 2.1134, "c": 1.0347, "X_0": 0.0401, "theta_A0": -0.5194}  # Table 4
UNITS = {"k_1": "N/rad", "k_2": "N/rad", "c": "kg/s", "X_0": "m", "theta_A0": "rad"}
START = {"k_1": 0.0, "k_2": 5.0, "c": 1.0, "X_0": 0.051, "theta_A0": -np.pi / 3}
ORIGAMI_CUTOFF = 1e-3  # as printed: the length of the last step
MASS = 0.135  # kg
FREQUENCY, AMPLITUDE = 6.6, 0.00617  # Hz, m
PULSATION = 2 * np.pi * FREQUENCY  # rad/s
RECORD_BEGIN, RECORD_END, ORIGAMI_SPACING = 27.0, 37.0, 1e-3  # s, of the record; the spacing is ours
FOLDED_HEIGHT, FLAT_HEIGHT = 0.03811, 0.10408  # m: between fully folded and flat
RELEASED = (0.04135, 0.0)  # m and m/s at t = 0: 27 s before the record; the stretches 1, 2, ... nm higher
RECORDED = Path(__file__).with_name("shaken_origami.npz")  # X and X' as whole nm and nm/s
UNIT = 1e-9  # m, and m/s
STRETCH = 3.0  # s, of each of the other stretches
ORIGAMI_DECIBELS = 40.0  # of the variance of each signal; not given
NEAR = 0.1  # of a parameter: as far as noise of these sizes never leads
SETTINGS = {"record": "simulated with the values of Table 4: the paper's measurements are not available",
            "geometry (Table 3)": {"b [mm]": 38.1, "a_A [mm]": 38.1, "gamma_A [deg]": 60, "gamma_B [deg]": 75},
            "a_B [mm]": "73.60, follows from the others", "mass (Table 3) [kg]": MASS,
            "stiffness per length (Table 3)": "k_A = k_C = k and k_B = mu k, here k_1 = k and k_2 = mu k",
            "excitation (Table 3)": "2 to 12 Hz; amplitude 6.17 mm on average, standard deviation 0.397 mm",
            "excitation here": "6.17 mm at 6.6 Hz, the frequency of Section 5.1", "time [s]": "27 to 37 at 1 ms",
            "noise": f"{ORIGAMI_DECIBELS:g} dB of the variance on X and X' (not given)", "start": START,
            "cutoff": ORIGAMI_CUTOFF}  # fmt: skip


@dataclass(frozen=True)
class Shaken:
    """Times, and what was measured: X, X' of the mass and Y, Y' of the base."""

    time: Array
    mass: Array  # [2, times]
    base: Array

    @property
    def relative(self) -> Array:
        """X - Y, m."""
        found: Array = self.mass[0] - self.base[0]
        return found


def base_at(time: Array) -> Array:
    """Y and Y' [2, times]."""
    phase = PULSATION * time
    return AMPLITUDE * np.array([np.sin(phase), PULSATION * np.cos(phase)])


def response(begin: tuple[float, float], times: Array, values: dict[str, float] | None = None) -> Array:
    """X and X' at `times`, from the first of them on."""
    return independent.smooth(rate_of(values or TRUTH), begin, times)


def rate_of(p: Mapping[str, float]) -> Callable[[float, Array], list[float]]:
    """(X', X'') for given parameters; the force is tabulated every 2 um."""
    shape = {name: value for name, value in p.items() if name != "c"}
    heights = np.linspace(FOLDED_HEIGHT, FLAT_HEIGHT, 33_001)
    force = CubicSpline(heights, restoring_force(heights, **shape))
    pieces, lowest, spacing = force.c.T.tolist(), float(heights[0]), float(heights[1] - heights[0])
    damping, origin = p["c"] / MASS, p["X_0"]

    def rate(t: float, x: Array) -> list[float]:
        phase = PULSATION * t
        above = x[0] - AMPLITUDE * np.sin(phase) + origin - lowest
        at = min(max(int(above / spacing), 0), len(pieces) - 1)
        s, (cubic, square, linear, constant) = above - at * spacing, pieces[at]
        pull = constant + s * (linear + s * (square + s * cubic))
        return [x[1], -damping * (x[1] - AMPLITUDE * PULSATION * np.cos(phase)) - pull / MASS]

    return rate


@cache
def clean() -> Shaken:
    """The record without noise."""
    with np.load(RECORDED) as file:
        return _shaken(file["record"])


@cache
def stretches() -> tuple[Shaken, ...]:
    """Other stretches of the motion, without noise."""
    with np.load(RECORDED) as file:
        return tuple(_shaken(mass) for mass in file["stretches"])


def _shaken(mass: Array) -> Shaken:
    time = RECORD_BEGIN + np.arange(mass.shape[1]) * ORIGAMI_SPACING
    return Shaken(time, UNIT * mass, base_at(time))


def noisy(
    seed: int,
    decibels: float = ORIGAMI_DECIBELS,
    duration: float = RECORD_END - RECORD_BEGIN,
    base: bool = False,
    true: Shaken | None = None,
) -> Shaken:
    """The record as measured, from the beginning for `duration`.

    Arguments:
        base: with noise on the base's motion as well. true: another stretch, in the place of the record.
    """
    true = true or clean()
    count = round(duration / ORIGAMI_SPACING) + 1
    random = np.random.default_rng(1000 + seed)

    def measured(rows: Array) -> Array:
        sigma = np.array([noise_deviation(row, decibels, "ac") for row in rows])
        return np.asarray((rows + sigma[:, None] * random.standard_normal(rows.shape))[:, :count])

    mass = measured(true.mass)
    return Shaken(true.time[:count], mass, measured(true.base) if base else true.base[:, :count])


def as_printed(record: Shaken, start: dict[str, float] | None = None) -> Descent:
    """The paper's method from its start, or from another."""
    return published_descent("miura_origami", record.time, record.mass, record.base, start or START, ORIGAMI_CUTOFF)


def best(record: Shaken) -> Result:
    """The method galerkin as it is by itself, from the paper's start."""
    method = Galerkin()
    return method.estimate(posed(record), options=method.resolve_options({}))


def posed(record: Shaken) -> Problem:
    """With the paper's start."""
    values = dict(zip(("X", "V", "Y", "W"), (*record.mass, *record.base), strict=True))
    return Problem.pose(library_model("miura_origami"), Record.from_arrays(record.time, values), start=START)


def vector(result: Result) -> Array:
    """The estimates in the order of TRUTH."""
    return np.array([result.value(name) for name in TRUTH])


def strayed(values: Array) -> bool:
    """Whether an estimate is a wrong one: some parameter off by more than a tenth."""
    truth = np.array(list(TRUTH.values()))
    return not bool(np.all(np.abs(values / truth - 1) < NEAR))
