"""A choice as it stands in a report: what it is, what it costs, what is expected of it, how it moves."""

from __future__ import annotations

from typing import Any

import numpy as np

from identikit.errors import DataError
from identikit.planning._choices import Choice
from identikit.planning._expected import Expected
from identikit.planning._signals import Signal
from identikit.planning._task import Task
from identikit.result import DesignReport, PlannedExperiment, PlannedRun
from identikit.simulation import simulate

MOST_POINTS = 2000  # of a planned motion, in the saved report


def planned_experiment(task: Task, choice: Choice, told: Expected) -> PlannedExperiment:
    """The row of a choice."""
    plan = choice.plan
    windows = choice.windows or tuple(((0.0, run.duration),) for run in plan.runs)
    runs = tuple(
        PlannedRun(dict(run.initial), own, float(np.median(np.diff(run.times))), len(run.times))
        for run, own in zip(plan.runs, windows, strict=True)
    )
    std = {name: float(s) if np.isfinite(s) else None for name, s in zip(plan.free, told.std, strict=True)}
    wanted = task.criterion.wanted
    return PlannedExperiment(
        choice.name,
        runs,
        {name: value for name, value in plan.parameters.items() if value != task.present.parameters[name]},
        dict(plan.inputs),
        {name: signal.words for name, signal in choice.signals.items()},
        dict(plan.noise),
        float(np.exp(choice.score)),
        std,
        dict(zip(plan.free, told.identifiable, strict=True)),
        bool((told.std <= wanted).all()) if np.isfinite(wanted).any() else None,
    )


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
        "units": {name: plan.model.output(name).unit for name in plan.noise},
        "inputs": {name: signal.values(times) for name, signal in choice.signals.items()},
        "sampled": one.times[::every],
    }


def plan_table(report: DesignReport) -> tuple[list[str], list[np.ndarray]]:
    """The recommended experiment as columns: run, time, and inputs that were chosen; without those, sample times.

    Inputs are written at every sample, also between stretches that are sampled.
    """
    if not report.experiments:
        raise DataError("the report holds no experiment to write")
    chosen = report.experiment()
    drives = {name: Signal.of(chosen.inputs[name], words) for name, words in chosen.drives.items()}
    numbers, times = [], []
    for number, run in enumerate(chosen.runs, 1):
        stretches = [(0.0, run.duration)] if drives else run.windows
        t = np.unique(np.concatenate([np.arange(a, b + run.spacing / 2, run.spacing) for a, b in stretches]))
        numbers.append(np.full(len(t), number))
        times.append(np.round(t, 12))
    every = np.concatenate(times)
    unit = f"[{report.time_unit}]" if report.time_unit else ""
    return ["run", f"t{unit}", *drives], [np.concatenate(numbers), every, *(d.values(every) for d in drives.values())]
