"""Task: what is wanted of the next experiment, and what may be chosen for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from identikit.model import Model
from identikit.planning._criteria import Criterion
from identikit.planning._ensemble import Ensemble, eliminated
from identikit.planning._plan import Plan
from identikit.planning._search import Budget, Search
from identikit.planning._signals import Signal
from identikit.planning._space import Space
from identikit.simulation import Pieces, stepped


@dataclass(frozen=True)
class Task:
    """The present experiment and what may be changed about it.

    Arguments:
        present: the experiment as it would be made now.
        limits: {initial state or fixed parameter: (low, high)}.
        input_limits: {input: (low, high)} of inputs that may be chosen.
        sensors: {output or state: standard deviation} of what could be measured besides.
        draws: parameter values [draws, parameters] that the experiment should be good for.
    """

    present: Plan
    limits: Mapping[str, tuple[float, float]]
    input_limits: Mapping[str, tuple[float, float]]
    sensors: Mapping[str, float]
    budget: Budget
    criterion: Criterion
    draws: np.ndarray
    seed: int = 0

    @cached_property
    def space(self) -> Space:
        first = self.present.runs[0].initial
        return Space(self.present.model, first, self.present.parameters, self.limits)

    def search(self, signals: Mapping[str, Signal]) -> Search:
        """The search with given signals at some inputs; the others are driven as at present."""
        model, pieces = self._driven(self.present, signals)
        plan = self.present
        ensemble = Ensemble(model, plan.free, plan.noise, plan.known)
        space = replace(self.space, model=model)
        return Search(ensemble, space, self.draws, self.criterion, self.budget, pieces, self.seed)

    def information(self, plan: Plan, signals: Mapping[str, Signal], *, counts_rest: bool = True) -> list[np.ndarray]:
        """Information [draws, k, k] of every run of a plan, unknown beginnings first: all that the likelihood of the
        plan holds, so that a plan is compared by what is printed of it."""
        model, pieces = self._driven(plan, signals)
        ensemble = Ensemble(model, plan.free, plan.noise, plan.known, counts_rest)
        names = model.parameter_names
        p = self.draws.copy()
        for name in (*self.limits, *plan.parameters):
            if name in names and name not in plan.free:
                p[:, names.index(name)] = plan.parameters[name]
        found = []
        for run in plan.runs:
            begun = np.array([[run.initial[name] for name in model.state_names]] * len(p))
            rows = ensemble.rows(begun, p, pieces, run.times)
            found.append(np.einsum("ntoi,ntoj->nij", rows, rows, optimize=True))
        return found

    def score(self, plan: Plan, signals: Mapping[str, Signal]) -> float:
        """The criterion over all draws; the smaller the better."""
        return self.score_of(self.information(plan, signals))

    def score_of(self, information: list[np.ndarray]) -> float:
        total = np.sum([eliminated(item, len(self.criterion.names)) for item in information], axis=0)
        return float(self.criterion.judged(total))

    def _driven(self, plan: Plan, signals: Mapping[str, Signal]) -> tuple[Model, Pieces]:
        """The model with smooth inputs written into it, and the others as pieces."""
        texts = {name: text for name, text in plan.inputs.items() if name not in signals}
        steps = {name: text for name, text in texts.items() if stepped(plan.model, {name: text}) is not None}
        model = plan.model.with_input_expressions({n: text for n, text in texts.items() if n not in steps})
        scheduled = stepped(model, steps) if steps else None
        parts = []
        for index, item in enumerate(model.inputs):
            if item.name in signals:
                parts.append(signals[item.name].pieces(self.budget.longest))
            elif scheduled is not None and item.name in steps:
                parts.append(scheduled.of(index))
            else:
                parts.append(Pieces.constant([item.value]))
        return model, Pieces.stacked(parts) if parts else Pieces.constant([])
