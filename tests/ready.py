"""The ready experiments of library models, made and fitted; for tests."""

from __future__ import annotations

import numpy as np

import identikit as ik
from identikit.problem import Problem
from identikit.result import Code, Result
from identikit.simulation import simulate


def record_of(model: ik.Model, seed: int = 0) -> ik.Record:
    """The model's ready experiment with its noise."""
    ready = model.ready
    assert ready is not None
    time = np.arange(round(ready.duration / ready.spacing) + 1) * ready.spacing
    driven = model.with_input_expressions(ready.inputs)
    return ik.synthesize(driven, simulate(driven, time), noise=ready.noise, seed=seed)


def fit_of(model: ik.Model, seed: int = 0) -> Result:
    """A fit by shooting without a start."""
    assert model.ready is not None
    return ik.fit(record_of(model, seed), model, method="shooting", inputs=model.ready.inputs)


def assert_recovered(model: ik.Model, deviations: float = 4.0) -> None:
    """Every free parameter is found within so many deviations, and the residuals are white."""
    result = fit_of(model)
    assert result.status.code is Code.OK, result.status.message
    for name in model.default_free:
        found, truth = result.parameters[name], model.parameter(name).value
        assert found.value is not None and found.std is not None and truth is not None
        assert abs(found.value - truth) < deviations * found.std, (name, found)
        assert found.std < 0.2 * max(abs(truth), 0.1), (name, found)
    assert all(noise.white for noise in result.noise.values())


def experiment_of(problem: Problem) -> ik.Experiment:
    """The records of a problem, to be asked about again."""
    return ik.Experiment(
        tuple(
            ik.Record.from_arrays(
                record.time, dict(zip(problem.outputs, record.values.T, strict=True)), name=record.name
            )
            for record in problem.records
        )
    )
