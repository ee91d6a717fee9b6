"""What is wanted of an experiment, and how well its parameters are known before it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from identikit.diagnose import usual_size
from identikit.errors import OptionError, did_you_mean
from identikit.planning._criteria import CRITERIA, GOAL, LARGEST, Criterion
from identikit.planning._plan import Plan
from identikit.planning._settings import DESIGN
from identikit.result import Result

Reach = Mapping[str, float | str]
"""{parameter: standard error that is wanted}: absolute, or relative as in "1%"."""


def wanted_criterion(kind: str | None, plan: Plan, reach: Reach, worst: bool) -> Criterion:
    """The criterion that is asked for: without a name the goal if there is one, else the largest relative error."""
    sizes = _sizes(plan)
    wanted = _wanted(plan, sizes, reach)
    has_goal = bool(np.isfinite(wanted).any())
    chosen = kind or (GOAL if has_goal else LARGEST)
    if chosen not in (*CRITERIA, *plan.free):
        known = (*CRITERIA, *plan.free)
        raise OptionError(f"criterion '{chosen}': expected one of {', '.join(known)}.{did_you_mean(chosen, known)}")
    if chosen == GOAL and not has_goal:
        raise OptionError("criterion 'goal' needs standard errors that are wanted: give some, or another criterion")
    return Criterion(chosen, plan.free, sizes, wanted, worst)


def _sizes(plan: Plan) -> np.ndarray:
    """What standard errors are relative to: the value, or the usual size of a parameter whose value is zero."""
    usual = [usual_size(plan.model.parameter(name).bounds, plan.model.parameter(name).value) for name in plan.free]
    given = np.abs(plan.centre)
    return np.where(given > 0, given, np.array(usual))


def _wanted(plan: Plan, sizes: np.ndarray, reach: Reach) -> np.ndarray:
    wanted = np.full(len(plan.free), np.inf)
    for name, given in reach.items():
        if name not in plan.free:
            raise OptionError(f"reach: '{name}' is not to be estimated.{did_you_mean(name, plan.free)}")
        place = plan.free.index(name)
        share = isinstance(given, str) and given.strip().endswith("%")
        try:
            number = float(str(given).strip().removesuffix("%"))
        except ValueError:
            number = np.nan
        if not (np.isfinite(number) and number > 0):
            raise OptionError(f"reach of '{name}' is '{given}': expected a standard error, such as 0.01 or 1%")
        wanted[place] = number / 100 * sizes[place] if share else number
    return wanted


def present_uncertainty(result: Result, plan: Plan, sizes: np.ndarray) -> np.ndarray:
    """R [free, free] with R R' the covariance of a fit.

    Parameters of which the fit says nothing are as wide as a draw may go; those that were fixed in it are known.
    """
    covariance = np.diag((DESIGN.widest_draw * sizes) ** 2)
    if result.covariance is not None:
        own = {name: k for k, name in enumerate(result.covariance["names"]) if name in plan.free}
        places = [plan.free.index(name) for name in own]
        matrix = np.array(result.covariance["matrix"], float)
        covariance[np.ix_(places, places)] = matrix[np.ix_(list(own.values()), list(own.values()))]
    for i, name in enumerate(plan.free):
        if name not in result.free:
            covariance[i, i] = 0.0
    values, vectors = np.linalg.eigh(covariance / np.outer(sizes, sizes))
    return np.asarray(sizes[:, None] * vectors * np.sqrt(np.maximum(values, 0.0)))
