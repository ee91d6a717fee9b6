"""The experiments to choose from: the present one, then better ones, from the simplest to the most laborious."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np

from identikit.explore import rates_at
from identikit.planning._placing import placed, sample_times
from identikit.planning._plan import Plan, Run, with_sensors
from identikit.planning._search import ChosenRun, Pool, Search
from identikit.planning._settings import DESIGN
from identikit.planning._signals import Signal, signals
from identikit.planning._task import Task
from identikit.progress import Progress

PRESENT = "present"


@dataclass(frozen=True)
class Choice:
    """One experiment with its score over all draws."""

    name: str
    plan: Plan
    score: float
    signals: Mapping[str, Signal] = field(default_factory=dict)


def choices(task: Task, progress: Progress) -> list[Choice]:
    """All that are worth a row, the simplest first; stopped, those that were found by then."""
    found = [Choice(PRESENT, task.present, task.score(task.present, {}))]
    search = task.search({})
    pool = search.explored(progress.part(0.0, 0.4))
    _add_undriven(task, search, pool, found)
    if progress(0.5, f"{len(pool.points)} beginnings compared") is False:
        return found
    if task.input_limits:
        _add_driven(task, pool, found, progress.part(0.5, 0.95))
    _add_sensors(task, found)
    return found


def _add_undriven(task: Task, search: Search, pool: Pool, found: list[Choice]) -> None:
    """One run, several, and several with samples where they tell most."""
    one, _ = search.single(pool)
    _add(found, _choice(task, search, "one run", (one,)))
    placings = [_placed(task, search, "one run", (one,))]
    for count in range(2, task.budget.runs + 1):
        several, _ = search.several(pool, count)
        _add(found, _choice(task, search, f"{count} runs", several))
        placings.append(_placed(task, search, f"{count} runs", several))
    made = [choice for choice in placings if choice is not None]
    if made:
        least = min(choice.score for choice in made)
        best = next(choice for choice in made if choice.score <= least + np.log1p(DESIGN.nearly))
        _add(found, best, DESIGN.worth_placing)


def _add_driven(task: Task, pool: Pool, found: list[Choice], progress: Progress) -> None:
    """Inputs one after the other, each with the signal that tells most, then the beginning that suits them."""
    chosen: dict[str, Signal] = {}
    best = np.argsort(task.search({}).scores(pool).min(axis=1), kind="stable")[: DESIGN.zoomed]
    begun = np.unique(np.concatenate([pool.points[:1], pool.points[best]]), axis=0)
    for number, (name, limits) in enumerate(task.input_limits.items()):
        part = progress.part(number / len(task.input_limits), (number + 0.8) / len(task.input_limits))
        candidates = signals(_frequencies(task), task.budget.longest, limits)
        scores = []
        for k, signal in enumerate(candidates):
            scores.append(_score_of_signals(task, {**chosen, name: signal}, begun))
            if part((k + 1) / len(candidates), f"{name}: {signal.words}") is False:
                break
        chosen[name] = candidates[int(np.argmin(scores))]
    search = task.search(chosen)
    explored = search.explored(progress.part(0.9, 1.0))
    one, _ = search.single(explored)
    found.append(_choice(task, search, "driven run", (one,), chosen))
    if task.budget.runs > 1:
        several, _ = search.several(explored, 2)
        _add(found, _choice(task, search, "2 driven runs", several, chosen))


def _score_of_signals(task: Task, chosen: Mapping[str, Signal], begun: np.ndarray) -> float:
    search = task.search(chosen)
    return float(search.scores(search.pool(begun)).min())


def _add_sensors(task: Task, found: list[Choice]) -> None:
    """The best so far with every further sensor, and with all of them."""
    best = min(found, key=lambda choice: choice.score)
    sets = [{name: std} for name, std in task.sensors.items()]
    for more in [*sets, dict(task.sensors)] if len(sets) > 1 else sets:
        plan = replace(best.plan, model=with_sensors(best.plan.model, more), noise={**best.plan.noise, **more})
        name = f"{best.name}, with {' and '.join(more)}"
        _add(found, replace(best, name=name, plan=plan, score=task.score(plan, best.signals)))


def _add(found: list[Choice], made: Choice, worth: float = DESIGN.nearly) -> None:
    """Only what is better than all that is simpler is worth the work; where nothing is known, nothing is better."""
    before = min(*(choice.score for choice in found), np.log(DESIGN.hopeless))
    if made.score < before - np.log1p(worth):
        found.append(made)


def _choice(
    task: Task,
    search: Search,
    name: str,
    runs: Sequence[ChosenRun],
    chosen: Mapping[str, Signal] = MappingProxyType({}),
) -> Choice:
    """Runs sampled evenly, as long as they move."""
    made = []
    for run in runs:
        duration = min(run.duration, search.worth_sampling(run.point))
        made.append(Run(task.space.beginning(run.point)[0], task.budget.times(duration, len(runs))))
    plan = _plan(task, runs, made, chosen)
    return Choice(name, plan, task.score(plan, chosen), dict(chosen))


def _placed(task: Task, search: Search, name: str, runs: Sequence[ChosenRun]) -> Choice | None:
    """The same runs with samples where they tell most; None if there is nothing to place."""
    placing = placed(search, runs)
    made, kept = [], []
    for run, own in zip(runs, placing.windows, strict=True):
        end = search.worth_sampling(run.point)
        own = tuple((begin, min(last, end)) for begin, last in own if begin < end)
        times = sample_times(own, placing.spacing)
        if own and len(times) > len(task.present.model.states):
            made.append(Run(task.space.beginning(run.point)[0], times))
            kept.append(run)
    if not made:
        return None
    beyond = sum(len(run.times) for run in made) - task.budget.samples
    if beyond > 0:  # the instants at which runs begin are sampled besides
        made[-1] = replace(made[-1], times=made[-1].times[: len(made[-1].times) - beyond])
    plan = _plan(task, kept, made, {})
    return Choice(f"{name}, samples placed", plan, task.score(plan, {}))


def _plan(task: Task, runs: Sequence[ChosenRun], made: Sequence[Run], chosen: Mapping[str, Signal]) -> Plan:
    settings = task.space.beginning(runs[0].point)[1]
    inputs = {**task.present.inputs, **{name: signal.expression for name, signal in chosen.items()}}
    parameters = {**task.present.parameters, **settings}
    return replace(task.present, runs=tuple(made), inputs=inputs, parameters=parameters)


def _frequencies(task: Task) -> list[float]:
    """Between which bands are tried, in cycles per unit of time: about the model's own rates, as samples allow."""
    budget, plan = task.budget, task.present
    rates = np.abs(rates_at(plan.model, plan.parameters, plan.runs[0].initial)) / (2 * np.pi)
    own = rates[rates > 1 / budget.longest]
    usual = own if len(own) else np.array([10 / budget.longest])
    # two samples per period show a sine, ten show what it does
    high = min(DESIGN.fastest_drive * float(usual.max()), 0.1 * budget.samples / budget.longest)
    low = min(max(DESIGN.slowest_drive * float(usual.min()), 1 / budget.longest), high / 4)
    return [float(f"{value:.3g}") for value in np.geomspace(low, high, DESIGN.band_edges)]
