"""A choice as it stands in a report: what it is, what it costs, what is expected of it, how it moves."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from identikit.errors import DataError
from identikit.planning._choices import Choice
from identikit.planning._expected import Expected
from identikit.planning._plan import Run
from identikit.planning._signals import Signal
from identikit.planning._task import Task
from identikit.result import DesignReport, PlannedExperiment, PlannedRun
from identikit.simulation import simulate

MOST_POINTS = 2000  # of a planned motion, in the saved report
EVEN = 1e-6  # of the spacing: samples so near to even times are even, but for rounding


def planned_experiment(task: Task, choice: Choice, told: Expected) -> PlannedExperiment:
    """The row of a choice."""
    plan = choice.plan
    std = {name: float(s) if np.isfinite(s) else None for name, s in zip(plan.free, told.std, strict=True)}
    wanted = task.criterion.wanted
    return PlannedExperiment(
        choice.name,
        tuple(planned_run(run) for run in plan.runs),
        {name: value for name, value in plan.parameters.items() if value != task.present.parameters[name]},
        dict(plan.inputs),
        {name: signal.words for name, signal in choice.signals.items()},
        dict(plan.noise),
        float(np.exp(choice.score)),
        std,
        dict(zip(plan.free, told.identifiable, strict=True)),
        bool((told.std <= wanted).all()) if np.isfinite(wanted).any() else None,
    )


def planned_run(run: Run) -> PlannedRun:
    """A run in few words: the stretches in which its own sample times are even; all of them, if they are not."""
    steps = np.diff(run.times)
    spacing = float(f"{np.median(steps):.9g}")  # without the rounding of differences
    edges = np.flatnonzero(steps > 1.5 * spacing) + 1
    stretches = np.split(run.times, edges)
    windows = tuple((float(part[0]), float(part[-1])) for part in stretches)
    made = PlannedRun(dict(run.initial), windows, spacing, len(run.times))
    told = made.times
    even = len(told) == len(run.times) and np.allclose(told, run.times, rtol=0, atol=EVEN * spacing)
    if even:
        return made
    return replace(made, windows=((0.0, run.duration),), instants=tuple(map(float, run.times)))


def planned_motion(choice: Choice, run: int) -> dict[str, Any]:
    """The planned motion of a run, and where it is sampled."""
    plan = choice.plan
    one = plan.runs[run]
    driven, steps = plan.driven
    times = np.linspace(0.0, one.duration, MOST_POINTS)
    motion = simulate(driven, times, plan.parameters, one.initial, steps)
    every = max(1, len(one.times) // MOST_POINTS)
    return {
        "experiment": choice.name,
        "run": run + 1,
        "t": times,
        "outputs": {name: motion.outputs[name] for name in plan.noise},
        "units": {
            **{item.name: item.unit for item in plan.model.outputs},
            **{item.name: item.unit for item in plan.model.inputs},
        },
        "inputs": {name: signal.values(times) for name, signal in choice.signals.items()},
        "sampled": one.times[::every],
    }


def plan_table(report: DesignReport) -> tuple[list[str], list[np.ndarray]]:
    """The recommended experiment as columns: run, sample time, and the inputs that were chosen at that time."""
    if not report.experiments:
        raise DataError("the report holds no experiment to write")
    chosen = report.experiment()
    drives = {name: Signal.of(chosen.inputs[name], words) for name, words in chosen.drives.items()}
    numbers, times = [], []
    for number, run in enumerate(chosen.runs, 1):
        numbers.append(np.full(run.samples, number))
        times.append(run.times)
    every = np.concatenate(times)
    unit = f"[{report.time_unit}]" if report.time_unit else ""
    return ["run", f"t{unit}", *drives], [np.concatenate(numbers), every, *(d.values(every) for d in drives.values())]
