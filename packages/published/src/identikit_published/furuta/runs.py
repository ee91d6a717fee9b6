"""The paper's two runs on its rig, and the figures that it prints.

The first is its simulation, the second a simulated stand-in for its experiment, whose record does not exist.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import cos, pi, sin, tanh

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

from identikit.measurement import Record
from identikit_published._base import Scale

Array = NDArray[np.float64]


JOINTS = ("arm", "pendulum")
OUTPUTS = ("q0", "q1", "w0", "w1")
START = (0.0, 2 * pi / 3, 0.0, 0.0)  # of the paper's simulation
TRUE = {
    "mu_d0": 5e-4,
    "mu_s0": 6e-4,
    "mu_v0": 2.5e-4,
    "v_t0": 5e-3,
    "F_t0": 1e-2,
    "mu_d1": 6e-4,
    "mu_s1": 7e-4,
    "mu_v1": 2.5e-4,
    "v_t1": 5e-3,
    "F_t1": 1e-2,
}  # table 3
FREE = list(TRUE)

Rate = Callable[[float, Sequence[float]], Sequence[float]]


def furuta_rate(friction: Mapping[str, float] | None = None) -> Rate:
    """q0', q1', w0', w1' as a function of time and state, with the friction of table 3 or another."""
    d = TRUE | dict(friction or {})
    m1, m2, l1, l2, L1, g, phi = 0.370, 0.128, 0.0620, 0.0620, 0.216, 9.81, pi / 9
    j1, jx, jy, jz, normal = 3.09e-3, 5.25e-3, 5.25e-3, 2.91e-6, (4.5908, 1.25568)
    a = m2 * l2**2 + jy - jz

    def torque(joint: int, w: float) -> float:
        n, ratio = normal[joint], w / d[f"v_t{joint}"]
        dry = n * d[f"mu_d{joint}"] * tanh(4 * ratio)
        dry += n * (d[f"mu_s{joint}"] - d[f"mu_d{joint}"]) * ratio / (ratio**2 / 4 + 0.75)
        return dry + d[f"mu_v{joint}"] * w * tanh(4 * n / d[f"F_t{joint}"])

    def rate(t: float, x: Sequence[float]) -> Sequence[float]:
        q0, q1, w0, w1 = x
        h00 = j1 + m1 * l1**2 + m2 * L1**2 + jz + a * sin(q1) ** 2
        h01, h11 = -m2 * l2 * L1 * cos(q1), jx + m2 * l2**2
        b0 = a * sin(2 * q1) * w0 * w1 + m2 * l2 * L1 * sin(q1) * w1**2
        b1 = -a * sin(q1) * cos(q1) * w0**2
        g0 = g * sin(phi) * ((m1 * l1 + m2 * L1) * sin(q0) - m2 * l2 * sin(q1) * cos(q0))
        g1 = -m2 * g * l2 * (sin(q0) * cos(q1) * sin(phi) - sin(q1) * cos(phi))
        r0, r1 = -b0 - g0 - torque(0, w0), -b1 - g1 - torque(1, w1)
        det = h00 * h11 - h01**2
        return w0, w1, (h11 * r0 - h01 * r1) / det, (h00 * r1 - h01 * r0) / det

    return rate


def furuta(
    time: NDArray[np.float64], friction: Mapping[str, float] | None = None, start: Sequence[float] = START
) -> NDArray[np.float64]:
    """States q0, q1, w0, w1 [4, times] of the paper's simulation, or with other friction and another start.

    By DOP853 at 1e-10, two billionths of a radian from what 1e-12 gives, in less than half its time.
    """
    return _integrated("DOP853", 1e-10, time, friction, start)


def stiff_furuta(
    time: NDArray[np.float64], friction: Mapping[str, float], start: Sequence[float] = START
) -> NDArray[np.float64]:
    """The same by LSODA at 1e-9, for friction that is steep near rest: to 2e-8 rad in a twentieth of the time."""
    return _integrated("LSODA", 1e-9, time, friction, start)


def _integrated(
    method: str,
    tolerance: float,
    time: NDArray[np.float64],
    friction: Mapping[str, float] | None,
    start: Sequence[float],
) -> NDArray[np.float64]:
    span = (time[0], time[-1])
    found: NDArray[np.float64] = solve_ivp(
        furuta_rate(friction), span, start, method, time, rtol=tolerance, atol=tolerance / 100
    ).y
    return found


# table 2: the bounds and confidences of the adaptation law
LOWER = 2.22e-16
UPPER = np.array([0.0750, 0.0750, 0.0100, 0.0100, 0.1, 0.150, 0.151, 0.0100, 0.0100, 0.100])
CONFIDENCE_LOWER, CONFIDENCE_UPPER = 50.0, 1.0  # lambda_l and lambda_u as printed

# table 3: the simulation
GUESS_3 = np.array([5.135e-3, 5.875e-3, 2.531e-3, 4.853e-2, 1.029e-1, 5.705e-3, 6.683e-3, 2.399e-3, 4.820e-2, 9.720e-2])
TABLE_3 = np.array([4.793e-4, 5.740e-4, 2.424e-4, 4.742e-3, 9.479e-3, 5.740e-4, 6.688e-4, 2.424e-4, 4.742e-3, 9.479e-3])

# table 4: the experiment
GUESS_4 = np.array([1.090e-2, 8.239e-3, 4.971e-3, 2.726e-3, 1.297e-2, 1.957e-2, 1.796e-2, 1.607e-2, 1.342e-2, 9.213e-3])
TABLE_4 = np.array([1.575e-3, 1.575e-3, 3.006e-4, 3.006e-4, 2.065e-3, 3.046e-3, 3.065e-3, 3.006e-4, 3.006e-4, 2.065e-3])

GAMMA = 0.00533  # not printed: the one that gives all of table 4


@dataclass(frozen=True)
class Performance:
    """A column of table 5: R^2 of arm and pendulum in per cent, and seconds of computation."""

    arm: float
    pendulum: float
    seconds: float


# table 5
PROPOSED = {"simulation": Performance(98.97, 99.53, 3.43), "experiment": Performance(77.84, 91.99, 19.49)}
OPTIMISER = {"simulation": Performance(12.77, 2.80, 4504.6), "experiment": Performance(3.40, 24.11, 10373.7)}
DEGREE = np.pi / 180  # rad
COUNT = 2 * np.pi / 40_000  # rad: of the encoders


@dataclass(frozen=True)
class Case:
    """A run of the rig.

    Arguments:
        time: of the samples, s. start: q0, q1, w0, w1. friction: the truth.
        outputs: what is measured. noise: standard deviation of each, rad or rad/s; of rounding, step/sqrt(12).
        step: to which angles are rounded; 0 = not rounded, but with normal noise.
        guess, estimate: as the paper prints them.
        fitted: which samples the best method is given. quick: the same where there is little time.
    """

    name: str
    time: Array
    start: tuple[float, ...]
    friction: Mapping[str, float]
    outputs: tuple[str, ...]
    noise: float
    step: float
    guess: Mapping[str, float]
    estimate: Mapping[str, float]
    fitted: slice
    quick: slice
    settings: Mapping[str, object] = field(default_factory=dict)

    def at(self, scale: Scale) -> Case:
        """The run with as much of it fitted as there is time for."""
        return replace(self, fitted=self.quick) if scale.quick else self

    @cached_property
    def clean(self) -> Array:
        """States [4, times] without noise."""
        return furuta(self.time, self.friction, self.start)

    @property
    def draws(self) -> int:
        """How many noise draws one record takes."""
        return 0 if self.step else 1

    def measured(self, seed: int) -> Array:
        """[outputs, times]; rounding leaves nothing to draw."""
        values = self.clean[: len(self.outputs)]
        if self.step:
            return np.asarray(np.round(values / self.step) * self.step)
        return values + self.noise * np.random.default_rng(seed).standard_normal(values.shape)

    def record(self, seed: int, samples: slice = slice(None)) -> Record:
        """What a method is given."""
        values = self.measured(seed)[:, samples]
        return Record.from_arrays(self.time[samples], dict(zip(self.outputs, values, strict=True)))

    def free_motion(self, friction: Mapping[str, float], every: int = 1) -> Array:
        """States [4, times] from the true start with other friction, at all samples or one in so many."""
        return stiff_furuta(self.time[::every], friction, self.start)


def _named(values: Array) -> dict[str, float]:
    return dict(zip(FREE, values.tolist(), strict=True))


_RIG = {"tilt [deg]": 20, "normal forces [N]": "4.5908 and 1.25568", "rig": "table 1"}
_OTHER = {"mu_d0": 1.0e-3, "mu_s0": 1.3e-3, "mu_v0": 6e-4, "v_t0": 2e-2, "mu_d1": 1.4e-3, "mu_s1": 1.8e-3,
          "mu_v1": 6e-4, "v_t1": 2e-2}  # fmt: skip

SIMULATION = Case(
    name="simulation",
    time=np.linspace(0, 35, 35_001),
    start=START,
    friction=TRUE,
    outputs=OUTPUTS,
    noise=0.1,
    step=0.0,
    guess=_named(GUESS_3),
    estimate=_named(TABLE_3),
    fitted=slice(None),
    quick=slice(0, 15_000),
    settings={**_RIG, "start [deg]": "0, 120", "duration [s]": 35, "rate [Hz]": 1000,
              "noise": "0.1 on all four states",
              "start of the observer": "the smoothed record's (the paper: the true one with noise of 0.1)",
              "start of validating motions": "the true one", "fitted": "all (quick: the first 15 s)"},
)  # fmt: skip
EXPERIMENT = Case(
    name="experiment",
    time=np.linspace(0, 20.28, 20_281),
    start=(0.2 * DEGREE, 126 * DEGREE, 0.0, 0.0),
    friction=TRUE | _OTHER,
    outputs=OUTPUTS[:2],
    noise=COUNT / np.sqrt(12),
    step=COUNT,
    guess=_named(GUESS_4),
    estimate=_named(TABLE_4),
    fitted=slice(0, 10_000, 10),
    quick=slice(0, 5_000, 10),
    settings={**_RIG,
              "record": "simulated stand-in, friction chosen so that it comes to rest within the paper's 20.28 s",
              "friction": ", ".join(f"{name} {value:g}" for name, value in _OTHER.items()), "start [deg]": "0.2, 126",
              "duration [s]": 20.28, "rate [Hz]": 1000,
              "angles": "rounded to 40,000 counts per turn, velocities not measured",
              "start of the observer": "the smoothed record's", "start of validating motions": "the true one",
              "fitted": "the first 10 s (quick: 5 s) at 100 Hz: rounding is no noise where nothing moves"},
)  # fmt: skip


def goodness_of_fit(again: NDArray[np.float64], reference: NDArray[np.float64]) -> NDArray[np.float64]:
    """Equation 53: R^2 in per cent of every row [rows, times], 100 (1 - sum (x - x_ref)^2 / sum (x_ref - mean)^2)."""
    left = np.sum((again - reference) ** 2, axis=1)
    return np.asarray(100 * (1 - left / np.sum((reference - reference.mean(axis=1)[:, None]) ** 2, axis=1)))


def normalised_time(seconds: float, duration: float, rate: float) -> float:
    """Equation 54: seconds of computation per sample of a record of this duration, s, and rate, Hz."""
    return seconds / (duration * rate)
