"""All kinds of intervals, cheapest first. A new kind is a row here and a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from identikit.errors import OptionError
from identikit.numerics import single_threaded
from identikit.problem import Problem
from identikit.progress import Progress, silent
from identikit.registry import Registry
from identikit.result import Result
from identikit.uncertainty._base import Uncertainty

AS_FITTED = "auto"  # the method's own, widened where its residuals ask for it

UNCERTAINTIES: Registry[type[Uncertainty]] = Registry(
    "kind of uncertainty",
    {
        "fisher": "identikit.uncertainty.fisher:Fisher",
        "sandwich": "identikit.uncertainty.sandwich:Sandwich",
        "profile": "identikit.uncertainty.profile:ProfileLikelihood",
        "bootstrap": "identikit.uncertainty.bootstrap:Bootstrap",
        "bayes": "identikit.uncertainty.bayes:Bayes",
    },
    group="identikit.uncertainties",
    advice=f"Or {AS_FITTED}, the method's own.",
)


def assessed(
    problem: Problem,
    result: Result,
    kind: str,
    options: Mapping[str, Any] | None = None,
    seed: int = 0,
    progress: Progress = silent,
) -> Result:
    """The result with intervals of that kind; unchanged for the method's own."""
    if kind == AS_FITTED:
        return result
    chosen = UNCERTAINTIES.find(kind)()
    with single_threaded():
        return chosen.run(problem, result, options=chosen.resolve_options(options), seed=seed, progress=progress)


def check_uncertainty(kind: str, options: Mapping[str, Any], free: Sequence[str]) -> None:
    """Refuse an unknown kind or option, or one that does not go with the free parameters, before any work is done."""
    if kind != AS_FITTED:
        chosen = UNCERTAINTIES.find(kind)
        chosen.check(chosen.resolve_options(options), free)
    elif options:
        raise OptionError(
            f"options are given for the uncertainty, but no kind: choose one of {', '.join(UNCERTAINTIES)}"
        )
