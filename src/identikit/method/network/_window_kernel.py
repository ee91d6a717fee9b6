"""The trajectory that a network writes in a window, and what data and physics say of it.

In a window from t0 to t1 = t0 + T, with s = (t - t0)/T, a state is

    x(t) = Hermite cubic through its values and the model's own rates at both ends
           + size s^2 (1 - s)^2 N(s),         N(s) = c + sum_h a_h tanh(w_h s + b_h):

continuous with its rate from window to window by construction. The hidden layer (w, b) is drawn once and shared; what
is trained are the output weights (a, c), written in a basis in which the hidden units are orthonormal: a network this
small then follows half a swing to a part in a million, and training it is hardly more than linear algebra. Of a pair
x' = v only x has a network, and v is its derivative, so that this equation holds exactly. The rows of a window, whose
squares are summed:

    physics     sqrt(w_g / q) T (dx/dt - f(t, x, u, p)) / size         at Gauss-Legendre points g of weights w_g
    data        sqrt(samples) (y - h(t, x, u, p)) / sigma              at averages of samples
    switch      g(t1, x1, u, p) / size                                 where the argument of a sign() passes zero

Sign functions are constants of the window (`mode`), or held (0) as dry friction holds, by the simulator's own field.

Reference: S. Dong, Z. Li, Local extreme learning machines and domain decomposition for solving linear and nonlinear
partial differential equations, Comput. Methods Appl. Mech. Eng. 387 (2021) 114129.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from identikit.method.network._settings import PINN
from identikit.model import TIME, Model, Program, dynamics_of, kinematic_pairs, symbol
from identikit.simulation import Drive, Field, compiled, program_text
from identikit.simulation import jax as load_jax


class WindowTask(NamedTuple):
    """What is given of windows; every array begins with the window's axis, [K], when the kernel is called."""

    mode: Any  # [switches]
    pin: Any  # [switches]: weight of a switch's argument at the right end, 0 = not zero there
    coefficients: Any  # [inputs, 4, points + 2]: the inputs' cubics at the Gauss points and at both ends
    origin: Any  # [points + 2]: where they begin
    time: Any  # [samples]
    inputs: Any  # [inputs, samples]
    values: Any  # [samples, outputs]
    weight: Any  # [samples, outputs]: sqrt(samples) / sigma, 0 = nothing there
    stiffness: Any  # 1 / sqrt(q), 0 = nothing is there


class WindowEquations(NamedTuple):
    """Squares and cross products of a window's rows, and the rows themselves."""

    matrix: Any  # [D, D] J'J
    gradient: Any  # [D] J'r
    physics: Any  # sum of squares
    data: Any  # [samples, outputs] rows
    pinned: Any  # sum of squares
    middle: Any  # [states] in the middle of the window


class WindowShape(NamedTuple):
    """How the unknowns of a window are laid out: weights, then left and right node with their times, then p."""

    carriers: tuple[int, ...]  # states that have a network
    partners: tuple[int, ...]  # the velocity that each carries along, -1 = none
    states: int
    free: int

    @property
    def weights(self) -> int:
        """Of all networks of a window."""
        return len(self.carriers) * (PINN.units + 1)

    @property
    def node(self) -> int:
        """Unknowns of a node: its states and its time."""
        return self.states + 1

    @classmethod
    def of(cls, model: Model, free: int) -> WindowShape:
        velocity = dict(kinematic_pairs(model))
        carried = set(velocity.values())
        carriers = tuple(i for i in range(len(model.states)) if i not in carried)
        return cls(carriers, tuple(velocity.get(i, -1) for i in carriers), len(model.states), free)


def gauss_points() -> tuple[np.ndarray, np.ndarray]:
    """Places in [0, 1] and weights that sum to one."""
    places, weights = np.polynomial.legendre.leggauss(PINN.points)
    return (places + 1) / 2, weights / 2


class HiddenLayer(NamedTuple):
    """Hidden units tanh(slope s + shift) and a constant, mixed so that they are orthonormal over a window."""

    slope: Any  # [units]
    shift: Any  # [units]
    mix: Any  # [units + 1, units + 1]

    @classmethod
    def drawn(cls, random: np.random.Generator) -> HiddenLayer:
        """Units whose middles are spread over the window."""
        middle = (np.arange(PINN.units) + random.uniform(0.25, 0.75, PINN.units)) / PINN.units
        slope = PINN.steepness * random.choice([-1.0, 1.0], PINN.units) * random.uniform(0.7, 1.3, PINN.units)
        places, weights = gauss_points()
        units = np.column_stack([np.tanh(slope * (places[:, None] - middle)), np.ones(len(places))])
        triangle = np.linalg.qr(units * np.sqrt(weights)[:, None], mode="r")
        return cls(slope, -slope * middle, np.linalg.inv(triangle))

    def basis(self, jnp: Any, s: Any) -> tuple[Any, Any, Any]:
        """The mixed units [places, units + 1] with their first and second derivatives in s."""
        h = jnp.tanh(self.slope * s[:, None] + self.shift)
        h1 = (1 - h**2) * self.slope
        h2 = -2 * h * h1 * self.slope
        units = self.mix[:-1]
        return h @ units + self.mix[-1], h1 @ units, h2 @ units


@lru_cache(maxsize=16)
def window_kernel(model: Model, outputs: tuple[str, ...], free: tuple[str, ...]) -> Callable[..., Any]:
    """Compiled: (unknowns [K, D - free], p, all parameters, sizes, HiddenLayer, WindowTask) -> WindowEquations."""
    jax = load_jax()
    jnp = jax.numpy
    shape = WindowShape.of(model, len(free))
    writer = TrajectoryWriter(model, shape, jax)
    observed = observed_program(model, outputs)
    where = np.array([model.parameter_names.index(name) for name in free], int)
    places, point_weights = (jnp.asarray(part) for part in gauss_points())
    dynamics = writer.field.dynamics

    def rows(
        own: Any, p: Any, every: Any, sizes: Any, hidden: HiddenLayer, task: WindowTask
    ) -> tuple[Any, Any, Any, Any]:
        parameters = every.at[where].set(p) if len(free) else every
        window = writer.window(own, parameters, sizes, hidden, task)
        x, rate = window(places)
        residual = writer.residual(x, rate, window, places, task, sizes)
        physics = task.stiffness * jnp.sqrt(point_weights) * residual
        seen, _ = window((task.time - window.begin) / window.length)
        shown = observed(jnp, [task.time, *seen, *task.inputs, *parameters])
        modelled = jnp.stack([jnp.broadcast_to(value, task.time.shape) for value in shown], axis=1)
        data = jnp.where(task.weight > 0, task.weight * (task.values - modelled), 0.0)
        pinned = jnp.zeros(0)
        if dynamics.guards:
            u = [value[-1] for value in window.inputs_at_ends()]
            guard = dynamics.guard(jnp, window.begin + window.length, list(window.right), u, list(parameters))
            pinned = task.pin * jnp.stack([jnp.asarray(value) for value in guard])
        middle = jnp.stack([value[0] for value in window(jnp.full(1, 0.5))[0]])
        return physics.ravel(), data, pinned, middle

    def one(own: Any, p: Any, every: Any, sizes: Any, hidden: HiddenLayer, task: WindowTask) -> WindowEquations:
        count = own.shape[0]

        def flat(unknowns: Any) -> tuple[Any, Any]:
            parts = rows(unknowns[:count], unknowns[count:], every, sizes, hidden, task)
            joined = jnp.concatenate([part.ravel() for part in parts[:-1]])
            return joined, (joined, parts)

        slope, (value, (physics, data, pinned, middle)) = jax.jacfwd(flat, has_aux=True)(jnp.concatenate([own, p]))
        return WindowEquations(slope.T @ slope, slope.T @ value, jnp.sum(physics**2), data, jnp.sum(pinned**2), middle)

    batched = jax.vmap(one, in_axes=(0, None, None, None, None, 0))
    return compiled(batched, program_text(model, outputs, static=free))


def observed_program(model: Model, outputs: Sequence[str]) -> Program:
    """The outputs as functions of time, states, inputs and parameters."""
    names = (*model.state_names, *model.input_names, *model.parameter_names)
    return Program([model.output(name).expression for name in outputs], [TIME, *map(symbol, names)])


class TrajectoryWriter:
    """Makes the trajectory of a window from its unknowns."""

    def __init__(self, model: Model, shape: WindowShape, jax: Any) -> None:
        self.shape, self.jnp = shape, jax.numpy
        self.field = Field(dynamics_of(model), jax)

    def window(self, own: Any, parameters: Any, sizes: Any, hidden: HiddenLayer, task: WindowTask) -> Window:
        shape, jnp = self.shape, self.jnp
        weights = own[: shape.weights].reshape(len(shape.carriers), -1)
        nodes = own[shape.weights :].reshape(2, shape.node)
        ends = Drive(list(parameters), task.coefficients[..., -2:], task.origin[-2:], None)
        x, t = list(nodes[:, : shape.states].T), nodes[:, shape.states]
        slopes = jnp.stack(self.field.state_rate(t, x, ends, self._modes(task, 2)))
        inside = Drive(list(parameters), task.coefficients[..., :-2], task.origin[:-2], None)
        return Window(self, weights, nodes, slopes, sizes, hidden, inside, ends)

    def _modes(self, task: WindowTask, lanes: int) -> list[Any]:
        return [self.jnp.full(lanes, task.mode[i]) for i in range(self.field.switches)]

    def residual(self, x: Any, rate: Any, window: Window, s: Any, task: WindowTask, sizes: Any) -> Any:
        """[carriers, points]: what the equations leave over, in units of the states per window."""
        t = window.begin + s * window.length
        asked = self.field.state_rate(t, x, window.drive, self._modes(task, len(s)))
        found = []
        for own, partner in zip(self.shape.carriers, self.shape.partners, strict=True):
            j = own if partner < 0 else partner
            found.append((rate[j] - asked[j]) * window.length / sizes[j])
        return self.jnp.stack(found)


class Window:
    """States and rates of change at places s of a window."""

    def __init__(
        self,
        writer: TrajectoryWriter,
        weights: Any,
        nodes: Any,
        slopes: Any,
        sizes: Any,
        hidden: HiddenLayer,
        drive: Drive,
        ends: Drive,
    ) -> None:
        shape = writer.shape
        self._jnp, self._shape = writer.jnp, shape
        self._weights, self._nodes, self._slopes, self._sizes = weights, nodes, slopes, sizes
        self._hidden, self.drive, self._ends = hidden, drive, ends
        self.begin = nodes[0, shape.states]
        self.length = nodes[1, shape.states] - self.begin
        self.right = nodes[1, : shape.states]

    def inputs_at_ends(self) -> list[Any]:
        """Inputs at both ends, seen from inside."""
        return self._ends.inputs(self._nodes[:, self._shape.states])[0]

    def __call__(self, s: Any) -> tuple[list[Any], list[Any]]:
        """x and dx/dt by state, each [places]."""
        x: list[Any] = [None] * self._shape.states
        rate: list[Any] = [None] * self._shape.states
        basis = self._hidden.basis(self._jnp, s)
        for i, (own, partner) in enumerate(zip(self._shape.carriers, self._shape.partners, strict=True)):
            value, first, second = self._carrier(i, own, s, basis)
            x[own], rate[own] = value, first
            if partner >= 0:
                x[partner], rate[partner] = first, second
        return x, rate

    def _carrier(self, i: int, own: int, s: Any, basis: tuple[Any, Any, Any]) -> tuple[Any, Any, Any]:
        """The state that a network writes, with its first and second derivative in time."""
        x0, x1 = self._nodes[0, own], self._nodes[1, own]
        T = self.length
        m0, m1 = T * self._slopes[own, 0], T * self._slopes[own, 1]
        # Hermite: x0 + m0 s + c2 s^2 + c3 s^3
        c2, c3 = 3 * (x1 - x0) - 2 * m0 - m1, 2 * (x0 - x1) + m0 + m1
        value, first, second = (
            x0 + s * (m0 + s * (c2 + s * c3)),
            m0 + s * (2 * c2 + 3 * s * c3),
            2 * c2 + 6 * s * c3,
        )
        net, net1, net2 = (part @ self._weights[i] for part in basis)
        r = s * (1 - s)
        b, b1, b2 = r**2, 2 * r * (1 - 2 * s), 2 * (1 - 2 * s) ** 2 - 4 * r
        size = self._sizes[own]
        value = value + size * b * net
        first = first + size * (b1 * net + b * net1)
        second = second + size * (b2 * net + 2 * b1 * net1 + b * net2)
        return value, first / T, second / T**2
