"""What would help where the best experiment does not: a known value or beginning, a sensor, a drive, a larger motion,
less noise.

Each is tried on the plan itself, with the same information: what is known is left out of the unknowns, what is measured
or driven besides is computed anew. What the plan lacks in samples is a factor: standard errors fall with their root;
and they fall with the noise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from identikit.diagnose import UNKNOWN
from identikit.errors import IdentikitError
from identikit.planning._choices import Choice
from identikit.planning._criteria import GOAL, LARGEST, Criterion, covariances
from identikit.planning._ensemble import eliminated
from identikit.planning._expected import Expected, expected_of_rows
from identikit.planning._plan import Plan, with_sensors
from identikit.planning._settings import DESIGN
from identikit.planning._signals import Signal, steps, sweep
from identikit.planning._task import Task
from identikit.result import listed
from identikit.simulation import simulate

MOST_REMEDIES = 5  # remedies that are named: more are not read
TIMES_AS_EXACT = (3, 10, 30, 100, 300, 1000)  # beyond, what is lacking is not a better sensor


_Trial = tuple[str, str, str, Plan, Mapping[str, Signal]]
"""Kind and name of a remedy, what it is in words, the plan with it, and the signals that drive it besides."""


@dataclass(frozen=True)
class Remedy:
    """Something that would help, `about` these names: `kind` is value, beginning, sensor, drive, setting, longer,
    larger or exact."""

    kind: str
    about: tuple[str, ...]
    text: str
    score: float


def remedies(task: Task, choice: Choice, expected: Expected) -> tuple[Remedy, ...]:
    """What would make parameters known that are not, reach the goal, or else bring the largest error down by half; best
    first. `expected` is what the choice itself would tell.

    Of several strengths of one remedy it is the weakest that reaches the goal; if none does, the weakest that helps.
    """
    here = replace(task, draws=task.draws[:1], criterion=_for_parameters(task.criterion))
    told = [item[0] for item in here.information(choice.plan, choice.signals)]
    before = _score(here.criterion, told)
    enough = before + np.log(DESIGN.helps)
    if here.criterion.kind == LARGEST:
        enough = min(enough, np.log(UNKNOWN))
    goal = 0.0 if here.criterion.kind == GOAL else -np.inf
    found: dict[tuple[str, tuple[str, ...]], Remedy] = {}
    # from weak to strong, those that reach the goal before those that only help
    tried = sorted(_tried(here, choice, told, expected), key=lambda item: item.score > goal)
    for item in tried:
        if item.score < enough or item.score <= goal:
            found.setdefault((item.kind, item.about), item)
    # equal ones stay in the order in which they were tried, whatever their last bits
    return tuple(sorted(found.values(), key=lambda item: round(item.score, 3))[:MOST_REMEDIES])


def more_samples(ratio: float) -> float:
    """How many times the samples would bring a standard error that is `ratio` times too large to what is wanted."""
    return float(ratio**2)


def flat_direction(task: Task, choice: Choice) -> tuple[tuple[str, float], ...]:
    """The combination of parameters that the plan tells least about: (name, part), in relative changes."""
    told = [item[:1] for item in task.information(choice.plan, choice.signals)]
    sizes = task.criterion.sizes
    total = np.sum([eliminated(item, len(sizes)) for item in told], axis=0)[0]
    _, vectors = np.linalg.eigh(covariances(total * sizes[:, None] * sizes))
    weakest = vectors[:, -1] / np.abs(vectors[:, -1]).max()
    weakest = weakest * np.sign(weakest[int(np.argmax(np.abs(weakest)))])
    return tuple(zip(task.criterion.names, map(float, weakest), strict=True))


def _for_parameters(criterion: Criterion) -> Criterion:
    """Remedies are compared by the goal; where none is given, by the largest relative error."""
    return replace(criterion, kind=GOAL if np.isfinite(criterion.wanted).any() else LARGEST)


def _score(criterion: Criterion, told: Sequence[np.ndarray]) -> float:
    count = len(criterion.names)
    return float(criterion.scores(np.sum([eliminated(item, count) for item in told], axis=0)))


def _tried(task: Task, choice: Choice, told: Sequence[np.ndarray], expected: Expected) -> Iterator[Remedy]:
    plan, criterion = choice.plan, task.criterion
    free, columns = len(plan.free), told[0].shape[-1]
    for name in plan.free:
        score = _with_known(criterion, told, (name,))
        if score is not None:
            yield Remedy("value", (name,), f"a known value of {name}", score)
    several = _worst_first(criterion, told)
    if len(several) > 1:
        score = _with_known(criterion, told, several)
        if score is not None:
            yield Remedy("value", several, f"known values of {listed(several)} together", score)
    if columns > free:
        names = [state.name for state in plan.model.states if state.initial is None and state.name not in plan.known]
        kept = list(range(columns - free, columns))
        score = _score(criterion, [item[np.ix_(kept, kept)] for item in told])
        yield Remedy("beginning", tuple(names), f"known initial values of {listed(names)}", score)
    yield from _less_noise(criterion, expected, plan)
    yield from _further(task, choice)


def _less_noise(criterion: Criterion, expected: Expected, plan: Plan) -> Iterator[Remedy]:
    """More exact sensors, as exact as it takes: every standard error falls with the noise.

    By what is expected exactly, where a parameter that nothing tells has no standard error: no sensor is exact enough.
    """
    asked = np.isfinite(criterion.wanted) if criterion.kind == GOAL else np.full(len(criterion.names), True)
    size, enough = (criterion.wanted, 1.0) if criterion.kind == GOAL else (criterion.sizes, UNKNOWN)
    largest = float((expected.std[asked] / size[asked]).max())
    for factor in TIMES_AS_EXACT:
        then = expected_of_rows(plan, expected.values, factor * expected.rows)
        if largest <= factor * enough and np.array(then.identifiable)[asked].all():
            noise = listed([f"{std / factor:.2g} of {name}" for name, std in plan.noise.items()])
            text = f"sensors {factor} times as exact (with a noise of {noise})"
            yield Remedy("exact", tuple(plan.noise), text, float(np.log(largest / factor)))
            return


def _with_known(criterion: Criterion, told: Sequence[np.ndarray], names: Sequence[str]) -> float | None:
    """The score if some parameters were known; None where nothing is left to ask."""
    rest = [i for i, name in enumerate(criterion.names) if name not in names]
    begun = told[0].shape[-1] - len(criterion.names)
    kept = [*range(begun), *(begun + i for i in rest)]
    wanted = criterion.wanted[rest]
    if not rest or (criterion.kind == GOAL and not np.isfinite(wanted).any()):
        return None
    left = tuple(criterion.names[i] for i in rest)
    reduced = replace(criterion, names=left, sizes=criterion.sizes[rest], wanted=wanted)
    return _score(reduced, [item[np.ix_(kept, kept)] for item in told])


def _worst_first(criterion: Criterion, told: Sequence[np.ndarray]) -> tuple[str, ...]:
    """Parameters that would have to be known, one after the other the least known, for all others to be."""
    names: list[str] = []
    while len(names) < len(criterion.names) - 1:
        begun = told[0].shape[-1] - len(criterion.names)
        rest = [i for i, name in enumerate(criterion.names) if name not in names]
        kept = [*range(begun), *(begun + i for i in rest)]
        total = np.sum([eliminated(item[np.ix_(kept, kept)], len(rest)) for item in told], axis=0)
        relative = np.sqrt(np.diagonal(covariances(total))) / criterion.sizes[rest]
        if relative.max() <= UNKNOWN:
            break
        names.append(criterion.names[rest[int(np.argmax(relative))]])
    return tuple(names)


def _further(task: Task, choice: Choice) -> Iterator[Remedy]:
    """Sensors, drives and settings that the plan does not have; what they would bring to rest is not counted."""
    plan, model = choice.plan, choice.plan.model
    measured = {str(output.expression) for output in model.outputs if output.name in plan.noise}
    for kind, name, text, other, signals in (
        *_sensors(plan, [s for s in model.state_names if s not in measured]),
        *_drives(task, plan),
        *_settings(task, plan),
        *_longer(plan),
        *_larger(plan),
    ):
        longest = max(task.budget.longest, *(run.duration for run in other.runs))
        widened = replace(task, budget=replace(task.budget, longest=longest))
        try:
            told = widened.information(other, {**choice.signals, **signals}, counts_rest=False)
        except IdentikitError:  # such as a motion that grows without bound
            continue
        yield Remedy(kind, (name,) if name else (), text, task.score_of(told))


def _sensors(plan: Plan, names: Sequence[str]) -> Iterator[_Trial]:
    if not names:
        return
    driven, steps_given = plan.driven
    run = plan.runs[0]
    motion = simulate(driven, run.times, plan.parameters, run.initial, steps_given)
    for name in names:
        size = float(np.std(motion.states[plan.model.state_names.index(name)]))
        std = float(f"{DESIGN.sensor_noise * size:.1g}") if size > 0 else 0.0
        if not std:
            continue
        more = {name: std}
        other = replace(plan, model=with_sensors(plan.model, more), noise={**plan.noise, **more})
        yield "sensor", name, f"a sensor of {name} (with a noise of {std:g})", other, {}


def _drives(task: Task, plan: Plan) -> Iterator[_Trial]:
    """Inputs that do not move: a drive of one unit up and down is tried."""
    for item in plan.model.inputs:
        if item.name in plan.inputs:
            continue
        low = 2 / task.budget.longest
        for signal in (
            sweep(low, 10 * low, task.budget.longest, (-1.0, 1.0)),
            steps(0.5 / low, task.budget.longest, (-1.0, 1.0)),
        ):
            text = f"a drive by {item.name} (tried with {signal.words}, from -1 to 1)"
            other = replace(plan, inputs={**plan.inputs, item.name: signal.expression})
            yield "drive", item.name, text, other, {item.name: signal}


def _settings(task: Task, plan: Plan) -> Iterator[_Trial]:
    """Fixed parameters that are zero, such as the amplitude of a force that is written into the equations."""
    for parameter in plan.model.parameters:
        if parameter.name in plan.free or parameter.name in task.limits or plan.parameters[parameter.name] != 0:
            continue
        value = float(min(1.0, parameter.bounds[1]))
        if value <= 0:
            continue
        other = replace(plan, parameters={**plan.parameters, parameter.name: value})
        yield "setting", parameter.name, f"{parameter.name}, now 0, set to {value:g}", other, {}


def _longer(plan: Plan) -> Iterator[_Trial]:
    """As many samples over a longer time."""
    for factor in DESIGN.stronger ** np.arange(1, 1 + DESIGN.strengths):
        runs = tuple(replace(run, times=run.times * factor) for run in plan.runs)
        text = f"runs {factor:g} times as long, with as many samples,"
        yield "longer", "", text, replace(plan, runs=runs), {}


def _larger(plan: Plan) -> Iterator[_Trial]:
    """A beginning further out, within the bounds of every state."""
    bounds = {state.name: state.bounds for state in plan.model.states if state.initial is None}
    for factor in DESIGN.stronger ** np.arange(1, 1 + DESIGN.strengths):
        runs = []
        for run in plan.runs:
            moved = {n: float(np.clip(factor * v, *bounds[n])) if n in bounds else v for n, v in run.initial.items()}
            runs.append(replace(run, initial=moved))
        text = f"a beginning {factor:g} times as far out"
        yield "larger", "", text, replace(plan, runs=tuple(runs)), {}
