"""Where a model rests, and whether it stays there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from identikit.explore._box import Box, usual_box
from identikit.explore._flow import Flow, require_autonomous
from identikit.model import Model
from identikit.simulation import initial_vector

STARTS = 128  # of Newton's iteration, spread over the box
ITERATIONS = 80  # Newton steps: far starts need many damped ones
CONVERGED = 1e-10  # the last Newton step, relative to the box
APART = 1e-6  # of the box: closer roots are one
SINGULAR = 1e-9  # an eigenvalue this small beside the largest counts as zero


@dataclass(frozen=True)
class Equilibrium:
    """A state of rest. `stable` means that no eigenvalue of the linearised model has a positive real part.

    With all of them negative, nearby motions come back (`attracting`); one at zero (no damping, a bifurcation) decides
    nothing. `isolated` is False where an eigenvalue is zero: then a whole line of rest states may pass through this.
    """

    state: dict[str, float]
    eigenvalues: np.ndarray
    stable: bool
    isolated: bool = True

    @property
    def attracting(self) -> bool:
        """Whether every eigenvalue has a negative real part."""
        return bool(self.eigenvalues.real.max() < -SINGULAR * max(float(np.abs(self.eigenvalues).max()), 1e-300))


def equilibria(
    model: Model,
    parameters: Mapping[str, float] | None = None,
    *,
    inputs: Mapping[str, float] | None = None,
    box: Mapping[str, tuple[float, float]] | None = None,
    initial: Mapping[str, float] | None = None,
) -> list[Equilibrium]:
    """States with f(x, u, p) = 0 by Newton's method from 128 points spread over a box, ordered by state.

    Constant `inputs` are the model's own unless given. `box` limits states. Without it the search begins between
    -pi and pi for an angle (unit rad), elsewhere within three times the value at the start (`initial`, else the ready
    experiment's; 1 if that is zero), and takes what it finds up to ten times as far out; a state that starts positive
    and that the equations cannot make negative (a count, an absolute temperature) is not looked for below zero.
    Angles that enter only through sines and cosines are brought into (-pi, pi]. A root with a tiny basin may be
    missed. Of a line of rest states only the one nearest to the start is given. Dry friction is taken at the middle
    of its sticking range.

    Reference: S. H. Strogatz, Nonlinear Dynamics and Chaos, 2nd ed., Westview 2015, section 6.3.
    """
    require_autonomous(model, parameters)
    plain = Flow(model, parameters, inputs)
    limits = usual_box(plain, box, initial)
    flow = Flow(model, parameters, inputs, still=CONVERGED * limits.width)
    periodic = periodic_angles(flow, limits)
    slack = APART * limits.width
    roots: list[np.ndarray] = []
    for root in _newton(flow, limits):
        root = wrapped(root, periodic)
        inside = np.all(periodic | ((root >= limits.floor - slack) & (root <= limits.ceiling + slack)))
        if inside and all(np.abs((root - other) / limits.width).max() > APART for other in roots):
            roots.append(root)
    found = [describe(flow, root) for root in sorted(roots, key=lambda root: root.round(9).tolist())]
    return _without_lines(found, initial_vector(model, initial), limits.width)


def periodic_angles(flow: Flow, box: Box) -> np.ndarray:
    """Which states are angles (unit rad) after whose full turn f is the same."""
    points = box.points(8)
    repeats = []
    for index, state in enumerate(flow.model.states):
        turn = np.where(np.arange(len(points)) == index, 2 * np.pi, 0.0)[:, None]
        with np.errstate(all="ignore"):
            here, there = flow.rate(0.0, points), flow.rate(0.0, points + turn)
        same = np.allclose(here, there, rtol=1e-9, atol=1e-9 * np.abs(here).max())
        repeats.append(state.unit == "rad" and bool(same))
    return np.array(repeats)


def wrapped(x: np.ndarray, periodic: np.ndarray) -> np.ndarray:
    """The periodic ones among the states x [states] brought into (-pi, pi]."""
    x = np.where(periodic, np.pi - np.mod(np.pi - x, 2 * np.pi), x)
    return np.where(periodic & (x < -np.pi + APART), x + 2 * np.pi, x)


def _newton(flow: Flow, box: Box) -> np.ndarray:
    """Newton steps of at most a quarter of the box, in units of the box, from all starts at once: [roots, states]."""
    x, width = box.points(STARTS), box.width
    converged = np.zeros(x.shape[1], bool)
    with np.errstate(all="ignore"):
        for _ in range(ITERATIONS):
            rate, slope = flow.rate(0.0, x), flow.jacobian(0.0, x) * width
            usable = np.isfinite(rate).all(axis=0) & np.isfinite(slope).all(axis=(1, 2))
            x, rate, slope, converged = x[:, usable], rate[:, usable], slope[usable], converged[usable]
            # least squares, so that where a line of rest states makes the slope singular the step is the shortest
            step = -np.einsum("kij,jk->ik", np.linalg.pinv(slope, rcond=1e-14), rate)
            largest = np.abs(step).max(axis=0, initial=0.0)
            moving = np.where(converged, 0.0, np.minimum(1.0, 0.25 / np.maximum(largest, 1e-300)))
            x = x + width[:, None] * step * moving
            converged = converged | (largest < CONVERGED)
            if converged.all():
                break
        size = np.abs(flow.jacobian(0.0, x) * width).max(axis=2, initial=0.0).T
        resting = np.all(np.abs(flow.rate(0.0, x)) <= 1e-8 * size, axis=0)
    return x[:, converged & resting].T


def describe(flow: Flow, root: np.ndarray) -> Equilibrium:
    """A state of rest with its eigenvalues."""
    eigenvalues = np.linalg.eigvals(flow.jacobian(0.0, root)).astype(complex)
    rounding = SINGULAR * max(float(np.abs(eigenvalues).max()), 1e-300)
    state = {name: float(value) + 0.0 for name, value in zip(flow.model.state_names, root, strict=True)}
    return Equilibrium(
        state,
        eigenvalues,
        bool(eigenvalues.real.max() <= rounding),
        bool(np.abs(eigenvalues).min() > rounding),
    )


def _without_lines(found: list[Equilibrium], start: np.ndarray, width: np.ndarray) -> list[Equilibrium]:
    """Of several roots that are not isolated only the one nearest to the start."""
    lines = [item for item in found if not item.isolated]
    if len(lines) < 2:
        return found
    nearest = min(lines, key=lambda item: float(np.abs((np.array(list(item.state.values())) - start) / width).max()))
    return [item for item in found if item.isolated or item is nearest]
