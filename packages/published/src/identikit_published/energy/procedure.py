"""XX"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from identikit import fit
from identikit.likelihood import Likelihood
from identikit.measurement import Experiment, Record, SmoothingSpline
from identikit.model import library_model
from identikit.result import Result
from identikit_published import independent

Array = NDArray[np.float64]

DEGREE = np.pi / 180  # rad
RATE = 300.0  # Hz, of the paper's experiments
PENDULUM = {"w0": 11.8, "mu": 0.005}  # rad/s, 1
W0 = 11.74  # rad/s: the pendulum with magnets, as measured without them
MAGNETIC = {"mu": 0.0509, "a1": -138.3, "a2": 21.3, "a3": 163.1}  # 1, 1/s^2
DUFFING = {"m": 1.0, "c": 0.2, "k": 1.0, "k3": 1.0}  # kg, N s/m, N/m, N/m^3
FORCE, FREQUENCY = 27.0, 1.33  # N, rad/s
PERIOD = 2 * np.pi / FREQUENCY  # s


def pendulum(degrees: float, time: Array, values: Mapping[str, float] = PENDULUM) -> Array:
    """Angle and velocity [2, times] after a release from rest."""
    w0, mu = values["w0"], values["mu"]
    return independent.smooth(
        lambda t, x: [x[1], -2 * mu * w0 * x[1] - w0**2 * np.sin(x[0])], [degrees * DEGREE, 0.0], time
    )


def magnetic_force(theta: Array, values: Mapping[str, float] = MAGNETIC) -> Array:
    """What pulls the magnetic pendulum back, over its inertia, 1/s^2.

    w0 is W0 unless `values` has it; a5, of a term 6 a5 theta^5 that the paper's model leaves out, is zero.
    """
    pull = values.get("w0", W0) ** 2 * np.sin(theta)
    return np.asarray(pull + sum((n + 1) * values.get(f"a{n}", 0.0) * theta**n for n in (1, 2, 3, 5)))


def magnetic(start: float, time: Array, values: Mapping[str, float] = MAGNETIC, velocity: float = 0.0) -> Array:
    """Angle and velocity [2, times] after a release at `start`, rad; see `magnetic_force` for the parameters."""
    drag = 2 * values["mu"] * values.get("w0", W0)

    def rate(t: float, x: Array) -> Sequence[float]:
        return [x[1], -drag * x[1] - float(magnetic_force(x[0], values))]

    return independent.smooth(rate, [start, velocity], time)


START = (1.0, 0.0)  # m, m/s, of the forced oscillator; the paper gives none


def duffing(time: Array, values: Mapping[str, float] = DUFFING, start: Sequence[float] = START) -> Array:
    """Displacement and velocity [2, times] under the force F cos(Omega t)."""
    m, c, k, k3 = (values[name] for name in DUFFING)

    def rate(t: float, x: Array) -> Sequence[float]:
        return [x[1], (FORCE * np.cos(FREQUENCY * t) - c * x[1] - k * x[0] - k3 * x[0] ** 3) / m]

    return independent.smooth(rate, start, time)


def scaled_noise(count: int, largest: float, seed: int) -> Array:
    """Normal noise whose largest draw is scaled to a given size, as in the paper."""
    draw = np.random.default_rng(seed).standard_normal(count)
    return np.asarray(largest / np.abs(draw).max() * draw)


def error_norm(estimate: Mapping[str, float], truth: Mapping[str, float]) -> float:
    """E_p, the paper's equations 17, 20 and 24: the root mean square of the relative errors."""
    return float(np.sqrt(np.mean([(estimate[name] / value - 1) ** 2 for name, value in truth.items()])))


TABLE_1 = {"mu": 0.0510, "w0": 11.71, "a1": -137.3, "a2": 21.3, "a3": 162.9}  # estimated, from simulated records
EXPERIMENT_1 = {"mu": 0.0287, "w0": 11.74, "a1": -145.25, "a2": 25.74, "a3": 188.11}
TABLE_2 = {"m": 1.012, "c": 0.200, "k": 1.013, "k3": 0.995}  # estimated

CUBIC = 2  # the derivative whose square is the roughness of a cubic smoothing spline
ENDS = 2.0  # smoothing lengths at both ends that are left out: there is nothing to smooth with beyond them


@dataclass(frozen=True)
class SmoothedRecord:
    """Position x and velocity v at the samples, and the integral of v^2 from the first one.

    `supplied` is the integral of v F cos(Omega t), for the forced oscillator.
    """

    x: Array
    v: Array
    dissipated: Array
    supplied: Array

    @classmethod
    def of(cls, time: Array, measured: Array) -> SmoothedRecord:
        curve = SmoothingSpline(time, measured, CUBIC)
        left = int(np.ceil(ENDS * curve.length))
        kept = time[left : len(time) - left]
        middle = (kept[:-1] + kept[1:]) / 2
        v, between = curve(kept, 1), curve(middle, 1)
        force, force_between = FORCE * np.cos(FREQUENCY * kept), FORCE * np.cos(FREQUENCY * middle)
        step = np.diff(kept) / 6
        return cls(curve(kept), v, _simpson(v**2, between**2, step), _simpson(v * force, between * force_between, step))


def _simpson(ends: Array, middles: Array, step: Array) -> Array:
    return np.concatenate([[0.0], np.cumsum(step * (ends[:-1] + 4 * middles + ends[1:]))])


@dataclass(frozen=True)
class Pairs:
    """Indices of the first and second time of every row."""

    first: NDArray[np.int64]
    second: NDArray[np.int64]

    @classmethod
    def random(cls, count: int, samples: int, seed: int) -> Pairs:
        """Any two times."""
        drawn = np.random.default_rng(seed).integers(0, samples, (2, count))
        return cls(drawn[0], drawn[1])

    @classmethod
    def apart(cls, span: int, samples: int, every: int = 1) -> Pairs:
        """All pairs so many samples apart; `every` keeps one first time out of so many."""
        first = np.arange(0, samples - span, every, dtype=np.int64)
        return cls(first, first + span)

    def __call__(self, values: Array) -> Array:
        """The change of something over every pair."""
        return np.asarray(values[self.second] - values[self.first])


def pendulum_balance(record: SmoothedRecord, pairs: Pairs) -> dict[str, float]:
    """Equation 16: w0 and mu of the planar pendulum; NaN where w0^2 comes out negative."""
    found = _solved([pairs(record.dissipated), -pairs(np.cos(record.x))], -pairs(record.v**2))
    return _rates(found[0], found[1])


def magnetic_balance(record: SmoothedRecord, pairs: Pairs, w0: float | None = None) -> dict[str, float]:
    """Equations 19: mu, w0 (unless it is given), a1, a2 and a3 of the magnetic pendulum."""
    gravity = -pairs(np.cos(record.x))
    magnets = [pairs(record.x ** (n + 1)) for n in (1, 2, 3)]
    left = -pairs(record.v**2)
    if w0 is None:
        found = _solved([pairs(record.dissipated), gravity, *magnets], left)
        named = _rates(found[0], found[1])
    else:
        found = np.insert(_solved([pairs(record.dissipated), *magnets], left - 2 * w0**2 * gravity), 1, 2 * w0**2)
        named = {"mu": float(found[0] / (4 * w0)), "w0": w0}
    return named | {f"a{n}": float(value / 2) for n, value in zip((1, 2, 3), found[2:], strict=True)}


def duffing_balance(record: SmoothedRecord, pairs: Pairs) -> dict[str, float]:
    """Equations 4a to 4d: m, c, k, k3 of the forced oscillator, whose force is known."""
    columns = [pairs(record.v**2) / 2, pairs(record.dissipated), pairs(record.x**2) / 2, pairs(record.x**4) / 4]
    found = _solved(columns, pairs(record.supplied))
    return dict(zip(("m", "c", "k", "k3"), found.tolist(), strict=True))


def _rates(damping: float, gravity: float) -> dict[str, float]:
    """mu and w0 from 4 mu w0 and 2 w0^2."""
    w0 = float(np.sqrt(gravity / 2)) if gravity > 0 else float("nan")
    return {"mu": float(damping / (4 * w0)), "w0": w0}


def _solved(columns: list[Array], left: Array) -> Array:
    return np.asarray(np.linalg.lstsq(np.column_stack(columns), left, rcond=None)[0])


def medians(estimates: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Parameter by parameter, of the estimates that came to numbers; NaN if none did."""
    known = [one for one in estimates if np.isfinite(list(one.values())).all()]
    return {name: float(np.median([one[name] for one in known])) if known else np.nan for name in estimates[0]}


def fitted(
    model: str, time: Array, measured: Array, free: Sequence[str], method: str, **asked: Any
) -> dict[str, float]:
    """Estimates of a record of the model's one output; NaN where a method came to none."""
    return _values(fit(_record(model, time, measured), model, method=method, free=list(free), **asked), free)


def fitted_together(
    model: str, time: Array, measured: Sequence[Array], free: Sequence[str], **asked: Any
) -> dict[str, float]:
    """Estimates by shooting of several records at the same times, each with an initial state of its own."""
    records = Experiment(tuple(_record(model, time, values) for values in measured))
    return _values(fit(records, model, method="shooting", free=list(free), **asked), free)


def _record(model: str, time: Array, measured: Array) -> Record:
    return Record.from_arrays(time, {library_model(model).output_names[0]: measured})


def _values(result: Result, free: Sequence[str]) -> dict[str, float]:
    values = {name: result.parameters[name].value for name in free}
    return {name: float("nan") if value is None else value for name, value in values.items()}


def planned(
    model: str, time: Array | Sequence[Array], noise: float, truth: Mapping[str, float],
    starts: Sequence[Mapping[str, float]], fix: Mapping[str, float] | None = None,
) -> Likelihood:  # fmt: skip
    """The likelihood of records not yet taken, one per start, at the same times or each at its own."""
    times = [time] * len(starts) if isinstance(time, np.ndarray) else time
    return Likelihood.planned(library_model(model), times, {library_model(model).output_names[0]: noise},
                              parameters={**truth, **(fix or {})}, initial=list(starts), free=list(truth),
                              fix=dict(fix or {}))  # fmt: skip


def bounds_of(likelihood: Likelihood, truth: Mapping[str, float]) -> dict[str, float]:
    """Cramer-Rao bounds of the parameters at the truth, initial states unknown."""
    p = np.array(list(truth.values()))
    relative = np.linalg.inv(likelihood.information(p) * np.outer(p, p))
    return dict(zip(truth, (np.abs(p) * np.sqrt(np.diag(relative))).tolist(), strict=True))


def norm_bound(bounds: Mapping[str, float], truth: Mapping[str, float]) -> float:
    """The root mean square of E_p over the noise, of an efficient estimate."""
    return error_norm({name: truth[name] + bounds[name] for name in truth}, truth)


def rms_norm(estimates: Sequence[Mapping[str, float]], truth: Mapping[str, float]) -> float:
    """The root mean square of E_p over the noise draws that came to a number; NaN if none did."""
    norms = np.array([error_norm(one, truth) for one in estimates])
    known = norms[np.isfinite(norms)]
    return float(np.sqrt(np.mean(known**2))) if len(known) else float("nan")
