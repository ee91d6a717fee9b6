"""The paper's two runs on its rig, and the figures that it prints.

The first is its simulation, the second a simulated stand-in for its experiment, whose record does not exist.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import cos, pi, sin, tanh
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.optimize import least_squares

from identikit import fit
from identikit.likelihood import Likelihood
from identikit.measurement import Record
from identikit.model import library_model
from identikit.result import Result
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


def furuta(time: Array, friction: Mapping[str, float] | None = None, start: Sequence[float] = START) -> Array:
    """States q0, q1, w0, w1 [4, times] of the paper's simulation, or with other friction and another start.

    By DOP853 at 1e-10, two billionths of a radian from what 1e-12 gives, in less than half its time.
    """
    return _integrated("DOP853", 1e-10, time, friction, start)


def stiff_furuta(time: Array, friction: Mapping[str, float], start: Sequence[float] = START) -> Array:
    """The same by LSODA at 1e-9, for friction that is steep near rest: to 2e-8 rad in a twentieth of the time."""
    return _integrated("LSODA", 1e-9, time, friction, start)


def _integrated(
    method: str, tolerance: float, time: Array, friction: Mapping[str, float] | None, start: Sequence[float]
) -> Array:
    span = (time[0], time[-1])
    found: Array = solve_ivp(furuta_rate(friction), span, start, method, time, rtol=tolerance, atol=tolerance / 100).y
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


def goodness_of_fit(again: Array, reference: Array) -> Array:
    """Equation 53: R^2 in per cent of every row [rows, times], 100 (1 - sum (x - x_ref)^2 / sum (x_ref - mean)^2)."""
    left = np.sum((again - reference) ** 2, axis=1)
    return np.asarray(100 * (1 - left / np.sum((reference - reference.mean(axis=1)[:, None]) ** 2, axis=1)))


def normalised_time(seconds: float, duration: float, rate: float) -> float:
    """Equation 54: seconds of computation per sample of a record of this duration, s, and rate, Hz."""
    return seconds / (duration * rate)


BOUNDS = {name: (LOWER, float(upper)) for name, upper in zip(FREE, UPPER, strict=True)}
ADAPTATION = "adaptation"  # the artifact that holds the observer's path
LAW = {"bounds": "table 2", "lambda_l": CONFIDENCE_LOWER, "lambda_u": CONFIDENCE_UPPER,
       "gamma": f"{GAMMA} (not printed: the one that gives table 4)", "k0": "7 (not printed)"}  # fmt: skip
OUTSIDE = (
    "The paper draws its starting values from normal distributions around the middle of the bounds of its table 2, so "
    "some may lie outside. Those of table 3 hardly come from there: all ten are 9.5 to 10.3 times the true value, but "
    "0.08 to 9.7 times the middle of the bounds. Parameters whose printed start lies outside their bounds start in the "
    "middle here. Nothing depends on it."
)


def observed(case: Case, seed: int) -> Result:
    """The adaptive observer with the bounds of table 2, from the printed guess where it lies within them."""
    start = {name: value for name, value in case.guess.items() if BOUNDS[name][0] <= value <= BOUNDS[name][1]}
    options = {"gamma": GAMMA, "lambda_l": CONFIDENCE_LOWER, "lambda_u": CONFIDENCE_UPPER}
    return fit(
        case.record(seed), "furuta", method="uas", free=FREE, bounds=BOUNDS, start=start, options=options, seed=seed
    )


def path_of(result: Result) -> dict[str, Any]:
    """t, error, gain, states and parameters of the observer, at some hundred times."""
    return dict(result.artifacts[ADAPTATION])


UNTOLD = ("F_t0", "F_t1")  # tanh(4 F_n/F_t) is 1: no record depends on them
TOLD = [name for name in FREE if name not in UNTOLD]
SPACING = 0.01  # s between the samples of the bound, each as much more precise as they are rarer: the same information
MOVED = 1e-2  # of its standard deviation or value, the smaller: by which a parameter is moved for a derivative
RARER = 20  # of the samples one is taken for the mean over the run


def identified(case: Case, seed: int, method: str = "kalman") -> Result:
    """Eight parameters free, from the guess that the paper prints; F_t stays at its guess."""
    fix = {name: case.guess[name] for name in UNTOLD}
    start = {name: case.guess[name] for name in TOLD}
    return fit(case.record(seed, case.fitted), "furuta", method=method, free=TOLD, fix=fix, start=start, seed=seed)


def estimate_of(result: Result, case: Case) -> dict[str, float]:
    """The ten values; where a fit came to none, and for F_t, the guess."""
    return {name: case.guess[name] if (v := result.parameters[name].value) is None else v for name in FREE}


@dataclass(frozen=True)
class Bound:
    """Cramer-Rao bounds of a run: standard deviations of the parameters, and of the motion that they give.

    Arguments:
        std: of the parameters that the record depends on. covariance: of the same, in their order.
        motion: of the outputs [times, outputs], over what is fitted.
    """

    std: Mapping[str, float]
    covariance: Array
    motion: Array


def bound_of(case: Case) -> Bound:
    """From the information at the truth, initial states unknown; F_t left out, of which no record tells anything."""
    fitted = case.time[case.fitted]
    rarer = round(SPACING / (fitted[1] - fitted[0]))
    time = fitted[::rarer]
    planned = Likelihood.planned(library_model("furuta"), time,
                                 dict.fromkeys(case.outputs, case.noise / np.sqrt(rarer)), parameters=case.friction,
                                 initial=dict(zip(OUTPUTS, case.start, strict=True)), free=TOLD)  # fmt: skip
    p = np.array([case.friction[name] for name in TOLD])
    relative = np.linalg.inv(planned.information(p) * np.outer(p, p))
    std = p * np.sqrt(np.diag(relative))
    named = dict(zip(TOLD, std.tolist(), strict=True))
    return Bound(named, relative * np.outer(p, p), planned.curve(p, time).std)


def goodness_bound(case: Case, bound: Bound) -> Array:
    """R^2 of both angles over the whole run, per cent, that an efficient estimate of friction has on average.

    Of the motion from the true start, as the paper's figures have it, to first order in the parameters' errors.
    """
    slopes = []
    for name in TOLD:
        true, step = case.friction[name], MOVED * min(bound.std[name], case.friction[name])
        ahead, behind = (case.free_motion({**case.friction, name: true + s}, RARER)[:2] for s in (step, -step))
        slopes.append((ahead - behind) / (2 * step))
    variance = np.einsum("pjt,pq,qjt->jt", slopes, bound.covariance, slopes, optimize=True)
    return np.asarray(100 * (1 - np.mean(variance, axis=1) / np.var(case.clean[:2], axis=1)))


EVERY = 10  # samples: one is compared
LOG_LOW, LOG_HIGH = -30.0, 5.0  # logarithms beyond these are not tried
# of a logarithm, by which derivatives are taken: SciPy's own 1.5e-8 is lost in the integration's error
DIFFERENCE = 1e-3


@dataclass(frozen=True)
class PlainFit:
    """Where the optimiser stopped.

    Arguments:
        evaluations: of the residual, those of the differences not counted.
        converged: whether it stopped by itself, and not for want of steps.
    """

    values: Mapping[str, float]
    evaluations: int
    converged: bool


def plain_fit(
    time: Array, measured: Array, guess: Mapping[str, float], steps: int, start: Sequence[float] = START
) -> PlainFit:
    """Logarithms of all ten from a guess, the initial state known, derivatives by differences.

    By LSODA, since friction near rest is stiff: a twentieth of the time of SciPy's default.

    Arguments:
        measured: [outputs, times]: all four states, or the two angles.
        steps: of the optimiser at most, each of up to eleven simulations.
    """

    def values(logarithms: Array) -> dict[str, float]:
        return dict(zip(FREE, np.exp(np.clip(logarithms, LOG_LOW, LOG_HIGH)).tolist(), strict=True))

    def residual(logarithms: Array) -> Array:
        rate = furuta_rate(values(logarithms))
        found = solve_ivp(rate, (time[0], time[-1]), start, "LSODA", time[::EVERY], rtol=1e-6, atol=1e-8)
        return np.asarray((found.y[: len(measured)] - measured[:, ::EVERY]).ravel())

    begun = np.log([guess[name] for name in FREE])
    found = least_squares(residual, begun, diff_step=DIFFERENCE, max_nfev=steps)
    return PlainFit(values(found.x), found.nfev, found.status > 0)
