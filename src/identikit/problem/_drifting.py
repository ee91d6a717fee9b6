"""A parameter that drifts is a state that nothing but noise moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import sympy as sp

from identikit.errors import OptionError, ProblemError, did_you_mean
from identikit.model import State
from identikit.problem._initial import Initial
from identikit.problem._process import ProcessNoise

if TYPE_CHECKING:
    from identikit.problem._problem import Problem


def drifting(problem: Problem, names: Sequence[str]) -> Problem:
    """The same problem with these free parameters as states, x' = noise of a level to be found."""
    model = problem.model
    for name in names:
        if name not in problem.free:
            raise OptionError(f"'{name}' is to drift, but is not a free parameter.{did_you_mean(name, problem.free)}")
    if not model.symbolic:
        raise ProblemError("the model is a function, not equations: its parameters cannot drift")
    moved = [model.parameter(name) for name in names]
    extended = replace(
        model,
        states=(*model.states, *(State(p.name, p.unit, p.meaning, problem.bounds[p.name]) for p in moved)),
        equations=(*model.equations, *(sp.Integer(0) for _ in moved)),
        parameters=tuple(p for p in model.parameters if p.name not in names),
    )
    begun = {p.name: Initial(_start(problem, p.name, p.value), bounds=problem.bounds[p.name]) for p in moved}
    for name, (mean, std) in problem.priors.items():
        if name in begun:
            begun[name] = Initial(mean, std, problem.bounds[name])
    return replace(
        problem,
        model=extended,
        free=tuple(name for name in problem.free if name not in names),
        start={name: item for name, item in problem.start.items() if name not in names},
        bounds={name: item for name, item in problem.bounds.items() if name not in names},
        priors={name: item for name, item in problem.priors.items() if name not in names},
        initial=tuple({**states, **begun} for states in problem.initial),
        process={**problem.process, **{name: ProcessNoise() for name in names}},
    )


def _start(problem: Problem, name: str, usual: float | None) -> float | None:
    value = problem.start.get(name, usual)
    return None if value is None else float(value)
