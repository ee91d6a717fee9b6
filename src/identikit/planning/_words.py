"""A plan in words: what to do in the lab, and what there is to say about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from identikit.diagnose import identified_combinations, still_determined
from identikit.model import Model
from identikit.planning._choices import PRESENT, Choice
from identikit.planning._expected import Expected
from identikit.planning._remedies import Remedy, flat_direction, more_samples, remedies
from identikit.planning._task import Task
from identikit.result import DesignCheck, Finding, PlannedExperiment, PlannedRun, finding, listed, percent_error

BEYOND_CHANCE = 3.0  # standard errors of a spread by which it may differ from what is expected
TOLERATED = 1.1  # of the expected error: a spread within that is what was promised, however many fits there are
BELONGS = 0.15  # of the largest part: a parameter with less of it does not belong to a flat combination
POOR = 0.1  # relative standard error above which the weakest combination is worth a word
MOST_FACTOR = 1000.0  # times the samples: beyond, it is no advice
WORTH_SAVING = 0.9  # of the samples: if so many would do, it is worth a word


def instructions(model: Model, experiment: PlannedExperiment) -> tuple[str, ...]:
    """What to do, one line for each thing, without a word of the model's mathematics."""
    lines = [f"set {name} to {_value(model, name, value)}" for name, value in experiment.settings.items()]
    for name, words in experiment.drives.items():
        lines.append(f"drive {name} by {words}: {name} = {experiment.inputs[name]}")
    kept = {name: text for name, text in experiment.inputs.items() if name not in experiment.drives}
    lines += [f"drive {name} as now: {name} = {text}" for name, text in kept.items()]
    measured = listed([f"{name} (noise {_value(model, name, std)})" for name, std in experiment.noise.items()])
    lines.append(f"measure {measured}")
    groups: list[tuple[PlannedRun, int]] = []
    for run in experiment.runs:
        if groups and groups[-1][0] == run:
            groups[-1] = (run, groups[-1][1] + 1)
        else:
            groups.append((run, 1))
    number = 1
    for run, times in groups:
        label = f"run {number}" if times == 1 else f"runs {number} to {number + times - 1}"
        lines.append(f"{label}: {_run(model, run)}")
        number += times
    return tuple(lines)


def _run(model: Model, run: PlannedRun) -> str:
    always = {state.name for state in model.states if state.initial is not None}
    begun = listed(
        [f"{name} = {_value(model, name, value)}" for name, value in run.initial.items() if name not in always]
    )
    unit = f" {model.time_unit}" if model.time_unit else ""
    every = f"at times of its own, about every {run.spacing:.4g}" if run.instants else f"every {run.spacing:.6g}"
    # as many digits as tell the last sample from its neighbours, also of a long run
    stretches = listed([f"{begin:.6g} to {end:.6g}{unit}" for begin, end in run.windows])
    return f"begin at {begun}; sample {every}{unit} from {stretches} ({run.samples} samples)"


def _value(model: Model, name: str, value: float) -> str:
    named: tuple[Any, ...] = (*model.parameters, *model.inputs, *model.states, *model.outputs)
    unit = {item.name: item.unit for item in named}.get(name, "")
    return f"{value:.4g}{' ' + unit if unit else ''}"


def findings_of(
    task: Task,
    choice: Choice,
    told: Expected,
    experiments: Sequence[PlannedExperiment],
    check: DesignCheck | None,
) -> list[Finding]:
    """Whether the goal is reached, what stays unknown and why, what would help, and whether the check agrees.

    `choice`, of which so much is `told`, is the recommended one of the `experiments`.
    """
    said: list[Finding] = []
    experiment = next(item for item in experiments if item.name == choice.name)
    unknown = [name for name, known in experiment.identifiable.items() if not known]
    teller = {name: next((item.name for item in experiments if item.identifiable[name]), None) for name in unknown}
    never = [name for name in unknown if teller[name] is None]
    wanted = task.criterion.wanted
    ratio = float(np.max(told.std[np.isfinite(wanted)] / wanted[np.isfinite(wanted)], initial=0.0))
    if experiment.reaches:
        said.append(_goal_reached(choice, ratio))
        said += _still_unknown(teller)
    elif never:
        said += _not_freed(task, choice, told, never)
    else:
        if experiment.reaches is False:
            said.append(_goal_missed(task, told, ratio))
        said += _still_unknown(teller)
    if not unknown and not experiment.reaches and float(np.max(told.std / task.criterion.sizes)) > POOR:
        said.append(_flat(task, choice))
    if not experiment.reaches and (never or experiment.reaches is False):
        said += [_would_help(item, task) for item in remedies(task, choice, told)]
    return said + _of_check(check)


def _still_unknown(teller: Mapping[str, str | None]) -> list[Finding]:
    """Parameters that the recommended experiment leaves unknown, and which experiment tells them, if one does."""
    said = []
    for other in dict.fromkeys(teller.values()):
        names = [name for name, one in teller.items() if one == other]
        stays, them = ("stays", "it") if len(names) == 1 else ("stay", "them")
        then = f"'{other}' tells {them}" if other else f"no other experiment here tells {them}"
        said.append(finding("flat_combination", f"{listed(names)} {stays} unknown; {then}", *names))
    return said


def _not_freed(task: Task, choice: Choice, told: Expected, unknown: Sequence[str]) -> list[Finding]:
    text = f"no experiment within the limits tells {listed(list(unknown))}: the best that was found is shown"
    plan = choice.plan
    known = identified_combinations(plan.model, plan.free, plan.parameters, told.rows, told.identifiable)
    return [finding("not_freed", text, *unknown), _flat(task, choice), *still_determined(known)]


def _goal_missed(task: Task, told: Expected, ratio: float) -> Finding:
    missed = {
        name: (std, want)
        for name, std, want in zip(task.criterion.names, told.std, task.criterion.wanted, strict=True)
        if std > want
    }
    each = listed([f"{name} to {std:.2g} instead of {want:.2g}" for name, (std, want) in missed.items()])
    factor = more_samples(ratio)
    more = f"; {factor:.2g} times the samples would do" if factor < MOST_FACTOR else ""
    return finding("goal_missed", f"the best experiment within the limits brings {each}{more}", *missed)


def _goal_reached(choice: Choice, ratio: float) -> Finding:
    plan = choice.plan
    fewer = max(int(np.ceil(plan.samples * more_samples(ratio))), plan.fewest_samples)
    who = "the present experiment" if choice.name == PRESENT else f"the experiment '{choice.name}'"
    do = f"; {fewer} samples, spread likewise, would do" if fewer < WORTH_SAVING * plan.samples else ""
    return finding("goal_reached", f"{who} reaches what is wanted{do}")


def _flat(task: Task, choice: Choice) -> Finding:
    """In words, which parameters can change together."""
    parts = [(name, part) for name, part in flat_direction(task, choice) if abs(part) > BELONGS]
    names = [name for name, _ in parts]
    if len(parts) == 1:
        return finding("flat_combination", f"what stays least known is {names[0]} by itself", *names)
    changes = listed([f"{name} by {100 * part:+.0f} %" for name, part in parts])
    return finding("flat_combination", f"what stays least known is a change of {changes} together", *names)


def _would_help(remedy: Remedy, task: Task) -> Finding:
    reached = float(np.exp(remedy.score))
    goal = np.isfinite(task.criterion.wanted).any()
    then = (
        f"errors {reached:.2g} times those wanted" if goal else f"a largest relative error of {percent_error(reached)}"
    )
    return finding("would_help", f"{remedy.text} would help: {then}", *remedy.about)


def _of_check(check: DesignCheck | None) -> list[Finding]:
    if check is None:
        return []
    said = []
    if check.settled < check.records:
        text = f"{check.records - check.settled} of {check.records} fits of simulated records did not settle"
        said.append(finding("fits_not_settled", text))
    far = BEYOND_CHANCE * check.uncertainty
    apart = [
        name for name, ratio in check.ratio.items() if abs(ratio - 1) > far and not 1 / TOLERATED < ratio < TOLERATED
    ]
    if apart:
        each = listed([f"{name} ({check.ratio[name]:.2f} times)" for name in apart])
        said.append(
            finding("check_differs", f"fits of simulated records spread otherwise than expected: {each}", *apart)
        )
    return said
