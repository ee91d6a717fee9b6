"""What a known model lacks, as a law: the model fitted, and the term that would explain what it leaves over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from identikit.errors import OptionError
from identikit.method._report import law_artifact
from identikit.method.missing._search import missing_terms
from identikit.method.shooting import Shooting
from identikit.model import model_from_toml
from identikit.problem import Problem
from identikit.progress import Progress
from identikit.result import Code, Result, ranked


class MissingTerms:
    """Keeps every term of a known model and seeks one, or two, that it lacks: a force, a sensor's zero, a drift.

    Reference: docs/missing-terms.md. Not without a model, nor for a law with several new terms: use sindy.
    """

    name = "missing"

    def resolve_options(self, given: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """There are none."""
        if given:
            raise OptionError(f"the search for missing terms has no option '{next(iter(given))}'")
        return {}

    def discover(
        self, problem: Problem, *, known: bool, options: Mapping[str, Any], seed: int, progress: Progress
    ) -> Result:
        """The model with the term that is missing as `discovered`, or as it is if the record asks for none."""
        if not known:
            raise OptionError("the search for missing terms needs a model whose terms are kept: name it, or use sindy")
        method = Shooting()
        fitting = progress.part(0.0, 0.6).of(problem.free)
        result = method.run(problem, options=method.resolve_options(), seed=seed, progress=fitting)
        values = [result.parameters[name].value for name in problem.free]
        fitted = result.status.code in (Code.OK, Code.MISFIT, Code.NOT_IDENTIFIABLE)
        if not fitted or any(value is None for value in values):
            return result
        if result.discovered is not None:
            return _with_law(result, result.discovered)
        report = missing_terms(problem, np.array(values, float), progress.part(0.6, 1.0))
        said, text = report.finding(), report.model_text
        if text is None:
            text = _with_values(problem, result)
        findings = result.findings if said is None else ranked((*result.findings, said))
        return _with_law(replace(result, findings=findings), text)


def _with_law(result: Result, text: str) -> Result:
    """The result with a law, given as a model file, and its equations with their numbers."""
    return replace(result, discovered=text, artifacts={**result.artifacts, **law_artifact(model_from_toml(text))})


def _with_values(problem: Problem, result: Result) -> str:
    """The model as it is, with what was found for its parameters."""
    values = {name: item.value for name, item in result.parameters.items()}
    parameters = (
        item if values[item.name] is None else replace(item, value=values[item.name])
        for item in problem.model.parameters
    )
    return replace(problem.model, parameters=tuple(parameters)).to_toml()
