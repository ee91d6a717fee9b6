"""Where a model rests, and whether it stays there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from identikit.errors import ModelError, OptionError, did_you_mean
from identikit.explore._flow import Flow, require_autonomous
from identikit.model import Model

STARTS = 128
ITERATIONS = 60
CONVERGED = 1e-10  # the last Newton step, relative to the box
APART = 1e-6  # of the box: closer roots are one


@dataclass(frozen=True)
class Equilibrium:
    """A state of rest. `stable` means that no eigenvalue of the linearised model has a positive real part.

    With all of them negative, nearby motions come back; one at zero (no damping, a bifurcation) decides nothing.
    """

    state: dict[str, float]
    eigenvalues: np.ndarray
    stable: bool


def equilibria(
    model: Model,
    parameters: Mapping[str, float] | None = None,
    *,
    inputs: Mapping[str, float] | None = None,
    box: Mapping[str, tuple[float, float]] | None = None,
) -> list[Equilibrium]:
    """States with f(x, u, p) = 0 by Newton's method from 128 points spread over a box, ordered by state.

    Constant `inputs` are the model's own unless given. `box` limits states; without it an angle (unit rad) lies between
    -pi and pi, another state within twice its size around its value in the ready experiment (at least 1, if that is
    zero). Angles that enter only through sines and cosines are brought into (-pi, pi]. Roots outside the box are
    dropped, also those that physics forbids, if the box does; one with a tiny basin may be missed.
    Dry friction is taken at the middle of its sticking range.

    Reference: S. H. Strogatz, Nonlinear Dynamics and Chaos, 2nd ed., Westview 2015, section 6.3.
    """
    require_autonomous(model, parameters)
    low, high = _box(model, box)
    width = high - low
    flow = Flow(model, parameters, inputs, still=CONVERGED * width)
    periodic = [state.unit == "rad" and _repeats(flow, index, low, high) for index, state in enumerate(model.states)]
    roots: list[np.ndarray] = []
    for start in _starts(low, high):
        root = _newton(flow, start, width)
        if root is None:
            continue
        root = np.where(periodic, np.pi - np.mod(np.pi - root, 2 * np.pi), root)
        root = np.where(np.array(periodic) & (root < -np.pi + APART), root + 2 * np.pi, root)
        inside = np.all(periodic | ((root >= low - APART * width) & (root <= high + APART * width)))
        if inside and all(np.abs((root - other) / width).max() > APART for other in roots):
            roots.append(root)
    return [_describe(flow, root) for root in sorted(roots, key=lambda root: root.round(9).tolist())]


def _box(model: Model, given: Mapping[str, tuple[float, float]] | None) -> tuple[np.ndarray, np.ndarray]:
    chosen = dict(given or {})
    for name, (low, high) in chosen.items():
        if name not in model.state_names:
            raise ModelError(f"model '{model.name}' has no state '{name}'.{did_you_mean(name, model.state_names)}")
        if not (np.isfinite([low, high]).all() and low < high):
            raise OptionError(f"the box of '{name}' is [{low:g}, {high:g}]: expected two finite numbers, lower first")
    initial = model.ready.initial if model.ready else {}
    rows = []
    for state in model.states:
        centre = initial.get(state.name, 0.0)
        size = 2 * abs(centre) or 1.0
        usual = (-np.pi, np.pi) if state.unit == "rad" else (centre - size, centre + size)
        rows.append(chosen.get(state.name, usual))
    table = np.array(rows, float)
    return table[:, 0], table[:, 1]


def _starts(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    from scipy.stats import qmc

    points = qmc.Sobol(len(low), scramble=True, seed=0).random(STARTS)
    return np.vstack([(low + high) / 2, low + points * (high - low)])


def _newton(flow: Flow, start: np.ndarray, width: np.ndarray) -> np.ndarray | None:
    """Newton steps of at most a quarter of the box, in units of the box."""
    x = start
    with np.errstate(all="ignore"):
        for _ in range(ITERATIONS):
            rate, slope = flow.rate(0.0, x), flow.jacobian(0.0, x) * width
            if not (np.isfinite(rate).all() and np.isfinite(slope).all()):
                return None
            step = np.linalg.lstsq(slope, -rate, rcond=None)[0]
            largest = np.abs(step).max()
            x = x + width * step * min(1.0, 0.25 / max(largest, 1e-300))
            if largest < CONVERGED:
                size = np.abs(slope).max(axis=1)
                return x if np.all(np.abs(flow.rate(0.0, x)) <= 1e-8 * size) else None
    return None


def _repeats(flow: Flow, index: int, low: np.ndarray, high: np.ndarray) -> bool:
    """Whether f is the same one turn further."""
    turn = np.where(np.arange(len(low)) == index, 2 * np.pi, 0.0)
    with np.errstate(all="ignore"):
        here, there = (np.array([flow.rate(0.0, point + by) for point in _starts(low, high)[:8]]) for by in (0.0, turn))
    return bool(np.allclose(here, there, rtol=1e-9, atol=1e-9 * np.abs(here).max()))


def _describe(flow: Flow, root: np.ndarray) -> Equilibrium:
    slope = flow.jacobian(0.0, root)
    eigenvalues = np.linalg.eigvals(slope).astype(complex)
    rounding = 1e-9 * max(float(np.abs(eigenvalues).max()), 1e-300)
    state = {name: float(value) for name, value in zip(flow.model.state_names, root, strict=True)}
    return Equilibrium(state, eigenvalues, bool(eigenvalues.real.max() <= rounding))
