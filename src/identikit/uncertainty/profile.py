"""Intervals from the profile likelihood: where log L, with everything else at its best, falls below a threshold.

    { v : log L_max - l_i(v) <= threshold },   l_i(v) = max over all but p_i of log L at p_i = v

The threshold is half the 95 % quantile of chi-squared with one degree of freedom, 1.92; a little more where the noise
level is estimated from few values. The interval follows the likelihood's own shape: it need not be symmetric, does not
depend on how parameters are written (a rate or a time), respects bounds, and has an open side where the record sets no
limit. Right where the noise is what the fit says. Not for coloured residuals that the noise model does not describe
(sandwich, bootstrap).

References: D. J. Venzon, S. H. Moolgavkar, Applied Statistics 37 (1988) 87; A. Raue et al., Bioinformatics 25 (2009)
1923.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from identikit.errors import OptionError, did_you_mean
from identikit.method import Option
from identikit.progress import Progress, silent
from identikit.result import Finding, finding
from identikit.uncertainty._base import Fitted, Intervals, Uncertainty, not_likeliest
from identikit.uncertainty._profile_curves import ProfileCurve, Shape, profile_curves
from identikit.uncertainty._profile_pair import pair_profile
from identikit.uncertainty._profile_path import SideEnd
from identikit.uncertainty._settings import UNCERTAINTY

NO_PAIR = "none"


class ProfileLikelihood(Uncertainty):
    """The likelihood along every parameter with all others at their best; also of two parameters together."""

    name = "profile"
    title = "Profile likelihood"
    reference = "D. J. Venzon, S. H. Moolgavkar, Applied Statistics 37 (1988) 87"
    answers = ("likelihood_bent",)
    options = (Option("pair", NO_PAIR, "names", "two parameters whose likelihood is also mapped together, a,b"),)

    @classmethod
    def check(cls, options: Mapping[str, Any], free: Sequence[str]) -> None:
        _pair(options["pair"], free)

    def objections(self, fitted: Fitted) -> list[Finding]:
        return not_likeliest(fitted)

    def intervals(
        self, fitted: Fitted, *, options: Mapping[str, Any], seed: int = 0, progress: Progress = silent
    ) -> Intervals:
        free = fitted.problem.free
        pair = _pair(options["pair"], free)
        walking = progress.stage("profile", 0.0, 0.6 if pair else 1.0, "profiles of all parameters")
        curves = dict(zip(free, profile_curves(fitted, walking), strict=True))
        artifacts: dict[str, Mapping[str, Any]] = {"profile": _artifact(fitted, curves)}
        if pair:
            mapping = progress.stage("profile", 0.6, 1.0, f"likelihood of {' and '.join(pair)} together")
            artifacts["profile pair"] = pair_profile(fitted, curves, pair, mapping)
        ends = np.array([curve.ends for curve in curves.values()])
        return Intervals(
            np.array([_std(fitted, name, curve) for name, curve in curves.items()]),
            ends,
            notes={name: _note(curve) for name, curve in curves.items() if curve.shape is not Shape.IDENTIFIABLE},
            facts={
                "threshold": fitted.threshold,
                "shapes": {name: curve.shape.value for name, curve in curves.items()},
                "points": int(sum(len(curve.values) for curve in curves.values())),
            },
            findings=_findings(fitted, curves),
            artifacts=artifacts,
        )


def _pair(given: str, free: Sequence[str]) -> tuple[str, str] | None:
    if given == NO_PAIR:
        return None
    names = given.split(",")
    for name in names:
        if name not in free:
            raise OptionError(f"the pair of profile names '{name}', which is not free.{did_you_mean(name, free)}")
    if len(names) != 2:
        raise OptionError(f"the pair of profile must be two free parameters, a,b. Got {given!r} instead.")
    return names[0], names[1]


def _std(fitted: Fitted, name: str, curve: ProfileCurve) -> float:
    """The standard error whose interval is as wide; with an open side that of the fit, if it has one."""
    if curve.shape is Shape.IDENTIFIABLE:
        return (curve.ends[1] - curve.ends[0]) / (2 * fitted.reach)
    own = fitted.result.parameters[name].std
    return math.nan if own is None or curve.shape in (Shape.FLAT, Shape.LOST) else own


def _note(curve: ProfileCurve) -> str:
    if curve.shape is Shape.FLAT:
        return "flat: the record sets it no limit"
    if curve.shape is Shape.LOST:
        return "its profile could not be followed to its end"
    return curve.shape.value


def _findings(fitted: Fitted, curves: Mapping[str, ProfileCurve]) -> tuple[Finding, ...]:
    found = []
    std = np.sqrt(np.diag(fitted.covariance))
    for i, (name, curve) in enumerate(curves.items()):
        if curve.shape is Shape.LOST:
            places = [curve.values[at] for at, side in ((0, 0), (-1, 1)) if curve.sides[side] is SideEnd.LOST]
            beyond = " and ".join(f"{value:.4g}" for value in places)
            text = f"the profile of {name} could not be followed beyond {beyond}: its interval is left open there"
            found.append(finding("profile_lost", text, name))
        elif curve.shape is Shape.FLAT:
            found.append(finding("profile_flat", f"the record sets {name} no limit on either side", name))
        elif curve.shape is not Shape.IDENTIFIABLE:
            found.append(finding("profile_one_sided", f"{name} is {curve.shape.value} by this record", name))
        sides = [abs(end - fitted.p[i]) / (fitted.reach * std[i]) for end in curve.ends]
        if fitted.result.parameters[name].std is None:  # the curvature says nothing that could be compared
            continue
        known = [side for side in sides if math.isfinite(side)]
        if any(abs(side - 1) > UNCERTAINTY.bent for side in known):
            words = " and ".join(
                f"{side:.2g} times as far {where}"
                for side, where in zip(sides, ("below", "above"), strict=True)
                if math.isfinite(side)
            )
            found.append(finding("profile_bent", f"the interval of {name} reaches {words} as its curvature says", name))
    best = min(curves.values(), key=lambda curve: float(curve.drop.min()))
    if best.drop.min() < -UNCERTAINTY.higher:
        p = best.p[int(np.argmin(best.drop))]
        values = ", ".join(f"{name} = {value:.6g}" for name, value in zip(curves, p, strict=True))
        text = f"log L is larger by {-best.drop.min():.3g} at {values}: the fit had not found the top"
        found.append(finding("higher_likelihood", text, *curves))
    return tuple(found)


def _artifact(fitted: Fitted, curves: Mapping[str, ProfileCurve]) -> dict[str, Any]:
    """All that a picture needs: the curves, the threshold, and the parabola of the curvature."""
    std = np.sqrt(np.diag(fitted.covariance))
    return {
        "kind": "table",
        "what": "profile",
        "threshold": fitted.threshold,
        "parameters": {
            name: {
                "value": curve.values,
                "drop": curve.drop,
                "others": {other: curve.p[:, j] for j, other in enumerate(curves) if other != name},
                "ends": list(curve.ends),
                "shape": curve.shape.value,
                "estimate": float(fitted.p[i]),
                "std": float(std[i]),
            }
            for i, (name, curve) in enumerate(curves.items())
        },
    }
