"""Structural identifiability of a model: verdicts, symmetries, what is determined all the same, and what would help."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import sympy as sp

from identikit.errors import ModelError
from identikit.model import TIME, random_states, symbol
from identikit.result import ModeResult, RemedyKind, RemedyPart, StructuralRemedy, StructuralResult
from identikit.structure._combinations import Named, determined_combinations
from identikit.structure._modes import Mode, Switches
from identikit.structure._remedies import remedies
from identikit.structure._sensitivity import InputKind, Sensitivity, StructuralQuestion, sensitivity
from identikit.structure._settings import STRUCTURE
from identikit.structure._symmetries import blocks, symmetries
from identikit.structure._tape import NotAnalysableError

_OTHER_INPUTS = (InputKind.GENERIC, InputKind.CONSTANT, InputKind.ABSENT)


def structural(question: StructuralQuestion) -> StructuralResult:
    """Which parameters and initial states the outputs determine, locally, for almost all values and without noise.

    Raises NotAnalysableError where the model is a function, or its equations hold what has no power series by rule.
    Not for what a record with noise can tell: a parameter may be identifiable here and hopeless in practice.
    """
    if not question.model.symbolic:
        raise NotAnalysableError("the model is a function")
    case = _Case.of(question)
    found = case.sensitivity()
    told = dict(zip(found.names, found.identifiable(), strict=True))
    result = StructuralResult(
        question.outputs,
        tuple(question.known),
        len(question.unknowns),
        len(question.unknowns) - _unseen_dimension(question, found),
        found.derivatives,
        {name: told[name] for name in question.free},
        {name: told[name] for name in question.unknown_states},
        case.modes_told(found),
        by_input=_by_input(question),
    )
    if all(told.values()):
        return result

    def evaluate(points: int, candidates: Sequence[sp.Expr]) -> Sensitivity:
        return case.sensitivity(candidates, points, found.derivatives)

    groups = blocks(found, len(question.unknowns))
    named = determined_combinations(evaluate, question, groups) if groups else Named((), 0)
    return replace(
        result,
        symmetries=symmetries(groups, question.unknowns),
        combinations=named.texts,
        further=named.further,
        remedies=() if result.ok else (*_settings(question, result), *remedies(question, found)),
    )


@dataclass(frozen=True)
class _Case:
    """A question with the modes that it has."""

    question: StructuralQuestion
    switches: Switches
    modes: tuple[Mode, ...]

    @classmethod
    def of(cls, question: StructuralQuestion) -> _Case:
        switches = Switches.of(question.expressions)
        return cls(question, switches, switches.modes(*_points(question)))

    def sensitivity(
        self, candidates: Sequence[sp.Expr] = (), points: int = STRUCTURE.points, orders: int | None = None
    ) -> Sensitivity:
        return sensitivity(self.question, self.modes, self.switches, candidates, points, orders)

    def modes_told(self, found: Sensitivity) -> tuple[ModeResult, ...]:
        """What each mode tells alone; nothing where there are no switches."""
        if not len(self.switches):
            return ()
        made = []
        for i, mode in enumerate(self.modes):
            known = found.identifiable([i])
            inside = tuple(name for name, told in zip(self.question.free, known, strict=False) if told)
            sides = {str(node): side for node, side in zip(self.switches.nodes, mode.sides, strict=True)}
            made.append(ModeResult(sides, inside))
        return tuple(made)


def _points(question: StructuralQuestion) -> tuple[list[sp.Symbol], list[np.ndarray]]:
    """Symbols of the model, and values at which sides of switches are looked at."""
    model = question.model
    random = np.random.default_rng(0)
    states, times = question.states, question.times
    if states is None or times is None:
        states = random_states(model, STRUCTURE.sampled_points, random)
        times = random.uniform(0.0, 10.0, STRUCTURE.sampled_points)
    inputs = random.normal(size=(len(model.inputs), len(states)))
    parameters = [question.fixed.get(item.name, item.value) for item in model.parameters]
    names = (*model.state_names, *model.input_names, *model.parameter_names)
    count = len(states)
    values = [random.normal(size=count) if value is None else np.full(count, value) for value in parameters]
    return [TIME, *map(symbol, names)], [times, *states.T, *inputs, *values]


def _unseen_dimension(question: StructuralQuestion, found: Sensitivity) -> int:
    """Of unseen directions, those that move a parameter or the beginning."""
    unknowns = len(question.unknowns)
    return min(int(np.any(space[:, :unknowns], axis=1).sum()) for space in found.unseen())


def _by_input(question: StructuralQuestion) -> dict[str, tuple[str, ...]]:
    """Parameters that are identifiable with inputs of every kind."""
    if not question.model.inputs:
        return {}
    return {kind.value: _identifiable(replace(question, inputs=kind)) for kind in _OTHER_INPUTS}


def _settings(question: StructuralQuestion, result: StructuralResult) -> tuple[StructuralRemedy, ...]:
    """Fixed parameters that are zero and would free all others if they were not; inputs that vary."""
    made = []
    for name in [name for name, value in question.fixed.items() if value == 0]:
        if len(_identifiable(replace(question, fixed={**question.fixed, name: 1.0}))) == len(question.free):
            made.append(StructuralRemedy((RemedyPart(RemedyKind.SETTING, name),)))
    if len(result.by_input.get(InputKind.GENERIC.value, ())) == len(question.free):
        made.append(StructuralRemedy((RemedyPart(RemedyKind.INPUT, ", ".join(question.model.input_names)),)))
    return tuple(made)


def _identifiable(question: StructuralQuestion) -> tuple[str, ...]:
    """Parameters that are; none where the equations cannot be expanded (a division by an input that is absent)."""
    try:
        known = _Case.of(question).sensitivity().identifiable()
    except (NotAnalysableError, ModelError):
        return ()
    return tuple(name for name, told in zip(question.free, known, strict=False) if told)
