"""Figure 8: convergence of the origami's parameters, and the force curves that follow from them."""

from __future__ import annotations

import numpy as np

from identikit.progress import Progress
from identikit_published._base import GALERKIN_PAPER, Item, Outcome, Scale
from identikit_published.galerkin import _origami as origami
from identikit_published.galerkin._as_printed import Descent
from identikit_published.galerkin._convergence import step_panel
from identikit_published.galerkin._force_curve import HEIGHTS, angle, deviation, force, rests
from identikit.result import Panel, PublishedFigure, Result, Series

ORIGAMI_STEPS = 19.0  # as printed
RESTS = ("stable, nested-in", "unstable", "stable, bulged-out")
FOLLOWED = 20  # steps of a descent that runs away


def run(scale: Scale, progress: Progress) -> Outcome:
    progress(0.0, "identifying the origami")
    record = origami.noisy(0)
    descent, near = origami.as_printed(record), origami.as_printed(record, origami.TRUTH)
    result = origami.best(record)
    truth, best = np.array(list(origami.TRUTH.values())), origami.vector(result)
    steps = float(result.diagnostics["rounds"])
    off, ours = (float(100 * np.max(np.abs(p / truth - 1))) for p in (descent.last, best))
    bound = max(100 * (result.parameters[name].crlb or 0.0) / abs(value) for name, value in origami.TRUTH.items())
    where = "from the printed start"
    figures = [
        PublishedFigure(where, "steps", "", ORIGAMI_STEPS, descent.steps, steps, None, _STEPS),
        PublishedFigure(where, "largest error of a parameter", "%", "no truth known", off, ours, bound),
    ]
    heights, doubt = 1000 * rests(truth), 1000 * deviation(result, rests)
    errors = [np.abs(1000 * rests(p) - heights) for p in (near.last, best)]
    figures += [
        PublishedFigure(
            f"{name}, {heights[k]:.2f} mm", "error of its height", "mm", "a curve",
            float(errors[0][k]), float(errors[1][k]), float(doubt[k]),
        )
        for k, name in enumerate(RESTS)
    ]  # fmt: skip
    panels = (
        *_convergence(descent, result),
        step_panel("(e) length of the step, as printed", _cut(descent), origami.ORIGAMI_CUTOFF),
    )
    return Outcome(tuple(figures), (*panels, *_curves(truth, best)), _NOTES, origami.SETTINGS, 1)


def _cut(descent: Descent) -> Descent:
    return Descent(descent.names, descent.path[: FOLLOWED + 1], descent.converged)


def _convergence(descent: Descent, result: Result) -> list[Panel]:
    ours = result.artifacts["iterations"]["parameters"]
    panels = []
    for letter, name in zip("abcd", ("k_1", "k_2", "X_0", "theta_A0"), strict=True):
        own, path = ours[name], _cut(descent).path[:, descent.names.index(name)]
        longest = float(max(len(own), len(path)) - 1)
        series = (
            Series("as printed", tuple(map(float, range(len(path)))), tuple(path)),
            Series("best here", tuple(map(float, range(len(own)))), tuple(own), emphasis="model"),
            Series("truth", (0.0, longest), (origami.TRUTH[name],) * 2, emphasis="bound"),
        )
        panels.append(Panel(f"({letter}) {name}", "step", f"{name} [{origami.UNITS[name]}]", series))
    return panels


def _curves(truth: np.ndarray, best: np.ndarray) -> list[Panel]:
    shown = np.abs(force(truth)) < 6.0
    panels = []
    along = (
        ("(f) force over folding angle", "theta_A [rad]", angle),
        ("(g) force over height", "H [mm]", lambda h: 1000 * h),
    )
    for title, label, place in along:
        at, quiet = place(HEIGHTS[shown]), place(rests(truth))
        series = (
            Series("Table 4", tuple(at), tuple(force(truth)[shown]), emphasis="printed"),
            Series("identified here", tuple(at), tuple(force(best)[shown]), emphasis="model"),
            Series("stable", tuple(quiet[[0, 2]]), (0.0, 0.0), "points", emphasis="measured"),
            Series("unstable", (float(quiet[1]),), (0.0,), "points"),
        )
        panels.append(Panel(title, label, "force [N]", series))
    return panels


_STEPS = "nothing random is in the number of steps, so it has no bound; as printed, they lead to a wrong place"
_NOTES = (
    "The record is a simulated stand-in with the values of Table 4 and 40 dB of noise; one draw. Errors of heights as "
    "printed are those of the minimum next to the truth.",
    "On this record the printed start X_0 = 0.051 puts the top of the motion beyond flat, where the force has no "
    "bound, and bare Gauss-Newton steps go astray; the paper's own record may have been kinder.",
    "Bistability is confirmed: two stable heights and an unstable one between, with negative stiffness. The force is "
    "the quotient of dPi/dtheta_A and dH/dtheta_A; equation 8 prints their product.",
    "(c) is labelled H_0 in the paper and shows X_0.",
)

ITEM = Item(
    "galerkin-figure-8", GALERKIN_PAPER, "Figure 8", "Origami: convergence, and the force curves identified", run
)
