"""The front door for one fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from identikit.measurement import Experiment, Record, load
from identikit.method import method_named, not_applicable
from identikit.model import Model, library_model, load_model
from identikit.problem import Problem
from identikit.progress import Progress, silent
from identikit.result import Result


def find_model(model: str | Path | Model) -> Model:
    """A model given as itself, by library name, or as a TOML file."""
    if isinstance(model, Model):
        return model
    text = str(model)
    if text.endswith(".toml"):
        return load_model(text)
    return library_model(text)


def fit(
    data: str | PathLike[str] | Sequence[str | PathLike[str]] | Record | Experiment | Any,
    model: str | Path | Model,
    *,
    method: str = "auto",
    free: Sequence[str] | None = None,
    fix: Mapping[str, float] | None = None,
    start: Mapping[str, float] | None = None,
    bounds: Mapping[str, tuple[float, float]] | None = None,
    outputs: Mapping[str, str] | None = None,
    inputs: Mapping[str, str] | None = None,
    hold: str | None = None,
    time: str | None = None,
    segments: str | None = None,
    units: Mapping[str, str] | None = None,
    options: Mapping[str, Any] | None = None,
    seed: int = 0,
    progress: Progress = silent,
) -> Result:
    """Estimate the parameters of a model from measurements.

    Arguments:
        data: a file, several files, a Record, an Experiment or a DataFrame.
        model: a Model, a library name such as "horizontal_pendulum", or a TOML file.
        method: "auto" or a name from `identikit methods`.
        free, fix, start, bounds, outputs, inputs, hold: as in `Problem.pose`.
        time, segments, units: as in `identikit.load`, for files and DataFrames.
        options: the method's own options.
        seed: for whatever is random.
        progress: called with a fraction and a sentence; return False to stop early.

    Returns a Result, also when the method does not apply or does not converge: look at `result.status`.
    Raises InputError (see identikit.errors) when something given is wrong.
    """
    chosen = method_named(method)
    settled = chosen.settle(options)
    found = find_model(model)
    experiment = find_experiment(data, time, segments, units)
    problem = Problem.pose(
        found,
        experiment,
        free=free,
        fix=fix,
        start=start,
        bounds=bounds,
        outputs=outputs,
        inputs=inputs,
        hold=hold,
    )
    objections = chosen.objections(problem)
    if objections:
        return not_applicable(problem, chosen.name, objections, settled, seed)
    return chosen.estimate(problem, options=settled, seed=seed, progress=progress)


def find_experiment(data: Any, time: str | None, segments: str | None, units: Mapping[str, str] | None) -> Experiment:
    """Measurements given as a file, several files, a Record, an Experiment or a DataFrame."""
    if isinstance(data, Experiment):
        return data
    if isinstance(data, Record):
        return Experiment((data,))
    if hasattr(data, "columns"):
        return Experiment((Record.from_dataframe(data, time, units=units),))
    return load(data, time=time, segments=segments, units=units)
