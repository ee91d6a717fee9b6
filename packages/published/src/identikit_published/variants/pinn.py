"""The usual way to a physics-informed network: one for a whole record, all weights trained by Adam.

The loss is that of the pendulum report, its equation 22,

    L = w_data mean (y - h)^2 + w_physics mean (dx/dt - f)^2 + w_beginning mean (x(0) - x_0)^2,

with sign(v) as tanh(v / eps). It is here for comparison: sixty seconds of oscillation are too much for one smooth
network, losses of different units compete, and Adam does not come to an end. Each record has a network of its own.

References: M. Raissi, P. Perdikaris, G. E. Karniadakis, J. Comput. Phys. 378 (2019) 686; D. P. Kingma, J. Ba, Adam: a
method for stochastic optimization, ICLR 2015 (arXiv 1412.6980).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from identikit.likelihood import Preparation
from identikit.method.network import Entry, Loss, WindowShape, observed_program
from identikit.method.toolkit import Option, Variant
from identikit.model import Model, dynamics_of
from identikit.problem import Problem
from identikit.progress import Cancelled, Progress
from identikit.result import Result
from identikit.simulation import Drive, compiled, program_text
from identikit.simulation import jax as load_jax
from identikit_published.variants._usual_way import UsualTraining, by_the_usual_way


@dataclass(frozen=True)
class ReportSettings:
    """Of the usual way: one network for the whole record, trained by Adam, as the pendulum report has it."""

    layers: int = 4  # hidden
    width: int = 50  # units of a layer
    steps: int = 5000  # of Adam
    rate: float = 1e-3  # of learning, Adam's usual one
    first_decay: float = 0.9  # of Adam's mean of gradients
    second_decay: float = 0.999  # of Adam's mean of their squares
    floor: float = 1e-8  # of its denominator
    data_points: int = 500  # samples that a step looks at
    physics_points: int = 500  # times at which the equations are asked for
    data_weight: float = 1.0  # of its loss; the report does not tell its weights
    physics_weight: float = 1.0  # the same
    beginning_weight: float = 1.0  # the same
    smoothed_sign: float = 0.1  # velocity eps in tanh(v / eps), which stands for sign(v)
    followed: float = 0.5  # of the samples' spread: a network that leaves more does not follow them
    told: int = 50  # steps per call: how often progress is told and the history kept


WHOLE_RECORD = ReportSettings()


class RecordTask(NamedTuple):
    """What is given of the records; every array begins with the record's axis."""

    time: Any  # [samples]
    inputs: Any  # [inputs, samples]
    values: Any  # [samples, outputs]
    present: Any  # [samples, outputs] 1 or 0
    physics_time: Any  # [points]
    coefficients: Any  # [inputs, 4, points]
    origin: Any  # [points]
    begin: Any
    span: Any
    first: Any  # [states] known at the beginning
    first_known: Any  # [states] 1 or 0
    middle: Any  # [carriers] of the outputs
    size: Any  # [carriers]


def train_whole(
    problem: Problem, preparation: Preparation, p: np.ndarray, count: int, seed: int, progress: Progress
) -> UsualTraining:
    """Train from parameters p for `count` steps; stopped, the last parameters are the best so far."""
    task = _task(problem, preparation)
    weights = _first_layers(len(problem.records), len(WindowShape.of(problem.model, 0).carriers), seed)
    steps = _steps(problem.model, problem.outputs, problem.free)
    low, high = problem.limits
    unknowns = (weights, np.asarray(p, float))
    state = (unknowns, _zeros(unknowns), _zeros(unknowns), np.zeros(()))
    every = problem.vector(p)
    history: list[Entry] = []
    stopped = False
    try:
        for done in range(0, count, WHOLE_RECORD.told):
            state, losses = steps(state, every, low, high, task)
            data, physics, known = (float(loss) for loss in losses)
            found = np.asarray(state[0][1])
            history.append(Entry(0, 1.0, Loss(data, physics, known), found))
            told = f"step {done + WHOLE_RECORD.told} of {count}: losses {data:.3g} and {physics:.3g}"
            if progress((done + WHOLE_RECORD.told) / count, told, found) is False:
                stopped = True
                break
    except Cancelled:
        stopped = True
    spread = np.concatenate([record.values - np.nanmean(record.values, axis=0) for record in problem.records])
    left = history[-1].loss.data if history else np.inf
    follows = left < WHOLE_RECORD.followed**2 * float(np.nanmean(spread**2))
    drawn = _drawn(problem.model, state[0][0], task)
    return UsualTraining(np.asarray(state[0][1]), tuple(history), stopped, follows, drawn)


def _drawn(model: Model, weights: Any, task: RecordTask) -> dict[str, list[float]]:
    """What the network of the first record says of the states that it carries, at the samples it was shown."""
    own = RecordTask(*(np.asarray(part)[0] for part in task))
    layers = [(np.asarray(matrix)[0], np.asarray(shift)[0]) for matrix, shift in weights]
    curves = _carried(np, layers, own.time, own)
    names = [model.state_names[i] for i in WindowShape.of(model, 0).carriers]
    return {"time": own.time.tolist(), **{name: curves[:, i].tolist() for i, name in enumerate(names)}}


def _carried(xp: Any, layers: Any, t: Any, task: RecordTask) -> Any:
    """States that the network stands for [times, carriers], in NumPy or JAX."""
    value = (2 * (t - task.begin) / task.span - 1)[:, None]
    for matrix, shift in layers[:-1]:
        value = xp.tanh(value @ matrix + shift)
    matrix, shift = layers[-1]
    return task.middle + task.size * (value @ matrix + shift)


@lru_cache(maxsize=8)
def _steps(model: Model, outputs: tuple[str, ...], free: tuple[str, ...]) -> Callable[..., Any]:
    """Some steps of Adam, compiled: (state, all parameters, bounds, task) -> (state, losses)."""
    jax = load_jax()
    jnp = jax.numpy
    dynamics, shape = dynamics_of(model), WindowShape.of(model, len(free))
    observed = observed_program(model, outputs)
    where = np.array([model.parameter_names.index(name) for name in free], int)

    def states(layers: Any, t: Any, task: RecordTask) -> tuple[list[Any], list[Any]]:
        def value(t: Any) -> Any:
            return _carried(jnp, layers, t, task)

        def slope(t: Any) -> Any:
            return jax.jvp(value, (t,), (jnp.ones_like(t),))[1]

        x: list[Any] = [None] * shape.states
        rate: list[Any] = [None] * shape.states
        own, (first, second) = value(t), jax.jvp(slope, (t,), (jnp.ones_like(t),))
        for i, (carrier, partner) in enumerate(zip(shape.carriers, shape.partners, strict=True)):
            x[carrier], rate[carrier] = own[:, i], first[:, i]
            if partner >= 0:
                x[partner], rate[partner] = first[:, i], second[:, i]
        return x, rate

    def losses(layers: Any, p: Any, task: RecordTask) -> tuple[Any, Any, Any]:
        x, _ = states(layers, task.time, task)
        shown = observed(jnp, [task.time, *x, *task.inputs, *p])
        seen = jnp.stack([jnp.broadcast_to(value, task.time.shape) for value in shown], axis=1)
        data = jnp.sum(task.present * (task.values - seen) ** 2) / jnp.sum(task.present)
        t = task.physics_time
        x, rate = states(layers, t, task)
        u, du = Drive(list(p), task.coefficients, task.origin).inputs(t)
        smooth = (
            [jnp.tanh(g / WHOLE_RECORD.smoothed_sign) for g in dynamics.guard(jnp, t, x, u, list(p))]
            if dynamics.guards
            else []
        )
        asked = dynamics.rate(jnp, t, x, u, du, list(p), smooth)
        rows = [i if j < 0 else j for i, j in zip(shape.carriers, shape.partners, strict=True)]
        physics = sum(jnp.mean((rate[i] - asked[i]) ** 2) for i in rows)
        first, _ = states(layers, task.begin[None], task)
        off = (jnp.stack([value[0] for value in first]) - task.first) * task.first_known
        return data, physics, jnp.sum(off**2) / jnp.maximum(jnp.sum(task.first_known), 1.0)

    def total(unknowns: Any, every: Any, task: RecordTask) -> tuple[Any, Any]:
        layers, free_values = unknowns
        p = every.at[where].set(free_values) if len(free) else every
        parts = jax.vmap(losses, in_axes=(0, None, 0))(layers, p, task)
        data, physics, beginning = (jnp.mean(part) for part in parts)
        weighed = (
            WHOLE_RECORD.data_weight * data
            + WHOLE_RECORD.physics_weight * physics
            + WHOLE_RECORD.beginning_weight * beginning
        )
        return weighed, (data, physics, beginning)

    def adam(state: Any, every: Any, low: Any, high: Any, task: RecordTask) -> tuple[Any, Any]:
        unknowns, mean, square, count = state
        slope, parts = jax.grad(total, has_aux=True)(unknowns, every, task)
        count = count + 1
        a, b = WHOLE_RECORD.first_decay, WHOLE_RECORD.second_decay
        mean = jax.tree.map(lambda m, g: a * m + (1 - a) * g, mean, slope)
        square = jax.tree.map(lambda v, g: b * v + (1 - b) * g**2, square, slope)

        def moved(x: Any, m: Any, v: Any) -> Any:
            return x - WHOLE_RECORD.rate * (m / (1 - a**count)) / (jnp.sqrt(v / (1 - b**count)) + WHOLE_RECORD.floor)

        layers, p = jax.tree.map(moved, unknowns, mean, square)
        return ((layers, jnp.clip(p, low, high)), mean, square, count), parts

    def several(state: Any, every: Any, low: Any, high: Any, task: RecordTask) -> tuple[Any, Any]:
        def one(state: Any, _: Any) -> tuple[Any, Any]:
            return adam(state, every, low, high, task)

        state, parts = jax.lax.scan(one, state, None, length=WHOLE_RECORD.told)
        return state, tuple(part[-1] for part in parts)

    return compiled(several, program_text(model, outputs, static=free))


def _task(problem: Problem, preparation: Preparation) -> RecordTask:
    """Samples and times of all records, as many of each."""
    records = problem.records
    parts = [_record_task(problem, preparation, index) for index in range(len(records))]
    return RecordTask(*(np.stack(part) for part in zip(*parts, strict=True)))


def _record_task(problem: Problem, preparation: Preparation, index: int) -> Sequence[Any]:
    record, curves = problem.records[index], preparation.curves[index]
    chosen = np.linspace(0, len(record.time) - 1, WHOLE_RECORD.data_points).round().astype(int)
    time, values = record.time[chosen], record.values[chosen]
    begin, span = record.time[0], np.ptp(record.time)
    physics = begin + span * (np.arange(WHOLE_RECORD.physics_points) + 0.5) / WHOLE_RECORD.physics_points
    where = record.pieces.index(physics)
    first = [
        item.value if item.known and isinstance(item.value, float) else np.nan
        for item in problem.initial[index].values()
    ]
    known = np.isfinite(first)
    shape = WindowShape.of(problem.model, 0)
    size = np.array([float(np.std(curve(physics))) for curve in curves])
    middle = np.array([float(np.mean(curve(physics))) for curve in curves])
    # what a network says is scaled like the output of its place; more states than outputs are scaled like the last
    place = np.minimum(np.arange(len(shape.carriers)), len(curves) - 1)
    return (time, record.pieces(time), np.nan_to_num(values), np.isfinite(values).astype(float), physics,
            np.moveaxis(record.pieces.coefficients[where], 0, -1), record.pieces.begins[where], begin, span,
            np.where(known, first, 0.0), known.astype(float), middle[place], size[place])  # fmt: skip


def _first_layers(records: int, outputs: int, seed: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Glorot's usual weights, [records, in, out], and shifts of zero."""
    random = np.random.default_rng(seed)
    sizes = [1, *[WHOLE_RECORD.width] * WHOLE_RECORD.layers, outputs]
    found = []
    for before, after in pairwise(sizes):
        reach = np.sqrt(6 / (before + after))
        found.append((random.uniform(-reach, reach, (records, before, after)), np.zeros((records, after))))
    return found


def _zeros(unknowns: Any) -> Any:
    return load_jax().tree.map(np.zeros_like, unknowns)


def estimate(problem: Problem, *, options: Mapping[str, Any], seed: int, progress: Progress) -> Result:
    """One network, trained by Adam from the regression's values, which are kept beside the result."""

    def train(preparation: Preparation, p: np.ndarray, training: Progress) -> UsualTraining:
        return train_whole(problem, preparation, p, options["steps"], seed, training)

    known = "first state" if any(one.known for states in problem.initial for one in states.values()) else None
    lost = "the network does not follow the samples: the equations alone cost it less as it is"
    told = {"every": WHOLE_RECORD.told, "known": known}
    return by_the_usual_way("pinn", problem, train, options, seed, progress, lost, told)


REPORT = Variant("one network for the whole record, trained by Adam, for comparison", estimate,
                 (Option("steps", WHOLE_RECORD.steps, "integer", "of Adam", WHOLE_RECORD.told, 10_000_000),),
                 (WHOLE_RECORD,))  # fmt: skip
