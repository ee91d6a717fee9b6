"""The shape of the restoring force, straight, polynomial or sine, read from a smoothed record.

Along the curve x(t) laid through a record, x'' is regressed on the three dampings and on the terms of one shape,

    x'' = -c x' - f sign(x') - q x'|x'| - F(x),        c, f, q not negative,

for every shape there is. A restoring force gives back what it takes and a damping does not, so the two are told apart
without knowing either. This is the force-state map (S. F. Masri, T. K. Caughey, Journal of Applied Mechanics 46 (1979)
433) with few terms: good enough for starting values and for the order in which shapes are tried, which whole
trajectories then decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from identikit.numerics import bounded_least_squares
from identikit.oscillation._oscillator_model import KAPPA, STIFFNESS, STRAIGHT
from identikit.oscillation._settings import OSCILLATION

SHAPES: tuple[tuple[str, ...], ...] = (
    (),
    ("k2",),
    ("k3",),
    ("k2", "k3"),
    ("k2", "k3", "k4", "k5"),
    (KAPPA,),
    (KAPPA, "k2"),
    (KAPPA, "k2", "k3"),
    (KAPPA, "k2", "k3", "k4", "k5"),
)
"""Which parameters a shape has besides the frequency w0 and the rest position x0."""


@dataclass(frozen=True)
class RestoringShape:
    """One shape as the regression finds it: `terms` are its parameters, `values` those of the whole oscillator,
    `left` the rms acceleration that it leaves over, `criterion` a Bayesian information criterion of the regression:
    the smaller, the more promising."""

    terms: tuple[str, ...]
    values: dict[str, float]
    left: float
    criterion: float

    @property
    def unused(self) -> tuple[str, ...]:
        """Parameters of the restoring force that this shape does not have."""
        return tuple(name for name in STIFFNESS if name not in self.terms)


@dataclass(frozen=True)
class MotionSample:
    """Position, velocity and acceleration [points] along smoothed records; `cycles` oscillations in them."""

    x: np.ndarray
    v: np.ndarray
    a: np.ndarray
    cycles: float


def restoring_shapes(motion: MotionSample, rest: float) -> list[RestoringShape]:
    """Every shape that pulls back to a position near `rest`, the most promising first."""
    size = float(np.max(np.abs(motion.x - rest)))
    speed = float(np.max(np.abs(motion.v)))
    u, w = (motion.x - rest) / size, motion.v / speed
    damping = np.stack([w, np.sign(w), w * np.abs(w)], axis=1)
    found = []
    for terms in SHAPES:
        best = _sine(motion, u, damping, terms) if KAPPA in terms else _polynomial(motion, u, damping, terms)
        if best is None:
            continue
        (left, criterion), (c, f, q), force = best
        values = {"zeta": c / (2 * speed), "mu_c": f, "mu_q": q / speed**2}
        values |= {"w0": np.sqrt(force["w2"] / size), "x0": rest + size * force["x0"]}
        values |= {name: force.get(name, 0.0) / size ** int(name[1]) for name in STIFFNESS if name != KAPPA}
        values[KAPPA] = force[KAPPA] / size if KAPPA in force else STRAIGHT / size
        found.append(RestoringShape(terms, {name: float(value) for name, value in values.items()}, left, criterion))
    return sorted(found, key=lambda shape: shape.criterion)


_Found = tuple[tuple[float, float], np.ndarray, dict[str, float]]


def _polynomial(motion: MotionSample, u: np.ndarray, damping: np.ndarray, terms: Sequence[str]) -> _Found | None:
    """1, u and the powers of the shape; then moved to where the polynomial vanishes."""
    powers = [0, 1, *(int(name[1]) for name in terms)]
    solution, quality = _regression(motion, damping, np.stack([u**n for n in powers], axis=1))
    polynomial = np.zeros(max(powers) + 1)
    polynomial[powers] = solution[3:]
    force = np.polynomial.Polynomial(polynomial)
    near = _nearest_root(force)
    if near is None:
        return None
    moved = force(np.polynomial.Polynomial([near, 1.0])).coef
    if moved[1] <= 0:
        return None
    own = {name: moved[int(name[1])] for name in terms}
    return quality, solution[:3], {"w2": moved[1], "x0": near, **own}


def _sine(motion: MotionSample, u: np.ndarray, damping: np.ndarray, terms: Sequence[str]) -> _Found | None:
    """sin(kappa u) and cos(kappa u), which together move it, for a range of kappa; and the powers of the shape."""
    names = [name for name in terms if name != KAPPA]
    powers = [u ** int(name[1]) for name in names]
    best: _Found | None = None
    for kappa in np.linspace(OSCILLATION.least_turn, OSCILLATION.most_turn, OSCILLATION.turn_steps):
        force = np.stack([np.sin(kappa * u), np.cos(kappa * u), *powers], axis=1)
        solution, quality = _regression(motion, damping, force)
        along, across = solution[3:5]
        moved = -np.arctan2(across, along) / kappa
        if along <= 0 or (best is not None and quality >= best[0]):
            continue
        own = dict(zip(names, solution[5:], strict=True))
        best = quality, solution[:3], {"w2": kappa * np.hypot(along, across), "x0": moved, KAPPA: kappa, **own}
    return best


def _nearest_root(force: np.polynomial.Polynomial) -> float | None:
    """Where the force vanishes, closest to the middle of the swings."""
    roots = force.roots()
    real = roots.real[np.abs(roots.imag) < 1e-9]
    return float(real[np.argmin(np.abs(real))]) if len(real) else None


def _regression(motion: MotionSample, damping: np.ndarray, force: np.ndarray) -> tuple[np.ndarray, tuple[float, float]]:
    """Coefficients of damping (not negative) and force; the rms of what is left over and its information criterion."""
    table = np.concatenate([damping, force], axis=1)
    low = np.where(np.arange(table.shape[1]) < damping.shape[1], 0.0, -np.inf)
    solution = bounded_least_squares(table, -motion.a, low, np.full(len(low), np.inf))
    left = float(np.mean((motion.a + table @ solution) ** 2))
    # a smoothed curve has a few independent values per oscillation, however finely it is sampled
    count = max(OSCILLATION.independent * motion.cycles, 2.0)
    criterion = count * np.log(max(left, 1e-300)) + table.shape[1] * np.log(count)
    return solution, (float(np.sqrt(left)), float(criterion))
