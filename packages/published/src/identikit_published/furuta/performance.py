"""Table 5 and Figure 12: how well estimates repeat the motion, and what they cost."""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from identikit.progress import Progress
from identikit.result import Panel, PublishedFigure, Series
from identikit_published._base import Outcome, Scale
from identikit_published.furuta.runs import (
    EXPERIMENT,
    OPTIMISER,
    PROPOSED,
    SIMULATION,
    Case,
    Performance,
    goodness_of_fit,
    normalised_time,
)
from identikit_published.furuta.ways import (
    LAW,
    PlainFit,
    bound_of,
    estimate_of,
    goodness_bound,
    identified,
    observed,
    plain_fit,
)

STEPS = 200  # of the plain optimiser at most; it stops by itself before
DURATION = {"simulation": 35.0, "experiment": 20.28}  # s, printed
RATE = {"simulation": 1e3, "experiment": 1e4}  # Hz, printed
UAS, KALMAN, PLAIN, SHOOTING = "uas", "kalman", "plain optimiser", "shooting"


@dataclass(frozen=True)
class _Done:
    """R^2 of both angles in per cent, the seconds it took, those per sample used (equation 54), and how it ended."""

    fit: NDArray[np.float64]
    seconds: float
    per_sample: float
    said: str


def table_5(scale: Scale, progress: Progress) -> Outcome:
    """Nd Figure 12: goodness of fit and computing time of the adaptive observer, an optimiser, and ours."""
    figures: list[PublishedFigure] = []
    panels: list[Panel] = []
    cases = (SIMULATION.at(scale),) if scale.quick else (SIMULATION, EXPERIMENT)
    for part, case in enumerate(cases):
        found = _compared(case, scale, progress.part(part / len(cases), (part + 1) / len(cases)))
        bound = None if scale.quick else goodness_bound(case, bound_of(case))
        figures += _rows(case, found, bound, PROPOSED[case.name], "proposed", UAS, KALMAN)
        figures += _rows(case, found, bound, OPTIMISER[case.name], "optimisation", PLAIN, SHOOTING)
        panels += _panels(case, found)
    figures += [*_ratios(), *_said()]
    settings = {**LAW, "simulation": str(dict(SIMULATION.settings)), "experiment": str(dict(EXPERIMENT.settings)),
                "plain optimiser": "least_squares around solve_ivp, all ten free, until it stops by itself",
                "kalman, shooting": "eight parameters free, from the printed guess, F_t at it"}  # fmt: skip
    return Outcome(tuple(figures), tuple(panels), settings, 1)


def _compared(case: Case, scale: Scale, progress: Progress) -> dict[str, _Done]:
    """Every method on the same record, from the printed guess."""
    moving = slice(case.fitted.stop)  # at rest the friction is stiff, and an integration takes minutes
    measured = case.measured(0)[:, moving]
    ways: dict[str, Callable[[], Mapping[str, float] | PlainFit]] = {
        UAS: lambda: estimate_of(observed(case, 0), case),
        KALMAN: lambda: estimate_of(identified(case, 0), case),
    }
    if not scale.quick:
        ways[PLAIN] = lambda: plain_fit(case.time[moving], measured, case.guess, STEPS, case.start)
        ways[SHOOTING] = lambda: estimate_of(identified(case, 0, "shooting"), case)
    found = {}
    for place, (name, way) in enumerate(ways.items()):
        progress(place / len(ways), f"{case.name}: {name}")
        if name == UAS:
            way()  # compiles, which the others' times hardly notice
        begun = clock.perf_counter()
        came_to = way()
        seconds = clock.perf_counter() - begun
        values, said = (came_to.values, _ended(came_to)) if isinstance(came_to, PlainFit) else (came_to, "")
        used = {UAS: slice(None), PLAIN: moving}.get(name, case.fitted)
        samples = len(case.time[used])
        fit = goodness_of_fit(case.free_motion(values)[:2], case.clean[:2])
        found[name] = _Done(fit, seconds, normalised_time(seconds, samples, 1.0), said)
    return found


def _ended(found: PlainFit) -> str:
    how = "stopped by itself" if found.converged else "had not stopped by itself"
    return f"; the plain optimiser {how} after {found.evaluations} evaluations"


def _rows(
    case: Case,
    found: Mapping[str, _Done],
    bound: NDArray[np.float64] | None,
    printed: Performance,
    label: str,
    as_printed: str,
    best: str,
) -> list[PublishedFigure]:
    """The rows of one column of the table: the method as printed, and ours of the same kind."""
    old, new = found.get(as_printed), found.get(best)
    title = f"{case.name}, {label}"
    methods = f"as printed: {as_printed}; best: {best}"
    per_sample = normalised_time(printed.seconds, DURATION[case.name], RATE[case.name])
    return [
        *(
            PublishedFigure(
                title,
                f"R^2, {joint}",
                "%",
                told,
                float(old.fit[index]) if old else None,
                float(new.fit[index]) if new else None,
                None if bound is None else float(bound[index]),
                methods + (old.said if old else "") + ("; the bound is left out if quick" if bound is None else ""),
            )
            for index, (joint, told) in enumerate((("arm", printed.arm), ("pendulum", printed.pendulum)))
        ),
        PublishedFigure(title, "computation time", "s", printed.seconds, old.seconds if old else None,
                        new.seconds if new else None, None,
                        f"{methods}; a time has no bound, and differs from machine to machine and run to run"),
        PublishedFigure(
            title,
            "normalised computation time (equation 54)",
            "s per sample",
            per_sample,
            old.per_sample if old else None,
            new.per_sample if new else None,
            None,
            "printed: from the printed time, duration and rate; here: over the samples that the method used, of which "
            "the experiment has 20,281 (uas), 10,000 (plain optimiser) and 1,000 (kalman, shooting); as above",
        ),
    ]  # fmt: skip


def _ratios() -> list[PublishedFigure]:
    """Optimisation over the proposed method: what the text says against what the table has."""
    return [
        PublishedFigure(
            name,
            "time of optimisation over that of the proposed method",
            "",
            told,
            OPTIMISER[name].seconds / PROPOSED[name].seconds,
            None,
            None,
            "printed: in the text; as printed: from the table's own times, so the text has the two exchanged; no bound",
        )
        for name, told in (("simulation", "about 500"), ("experiment", "about 1300"))
    ]


def _said() -> list[PublishedFigure]:
    """Figures of abstract and text, beside what table 5 gives for them."""
    saved = [100 * (1 - PROPOSED[name].seconds / OPTIMISER[name].seconds) for name in PROPOSED]
    simulation, experiment = PROPOSED["simulation"], PROPOSED["experiment"]
    rows = (
        ("least of both runs", "reduction of the time", "more than 99", min(saved), "true"),
        ("experiment", "R^2, mean of both angles", "around 85", (experiment.arm + experiment.pendulum) / 2, "true"),
        ("simulation", "R^2, worse of both angles", "98 for both", min(simulation.arm, simulation.pendulum), _CUT),
        (
            "simulation",
            "R^2, better of both angles",
            "98 for both",
            max(simulation.arm, simulation.pendulum),
            "99 or 100",
        ),
        ("experiment", "R^2, arm, in the text", "77", experiment.arm, _CUT),
        ("experiment", "R^2, pendulum, in the text", "91", experiment.pendulum, _CUT),
    )
    return [
        PublishedFigure(case, quantity, "%", told, value, None, None,
                        f"printed: in the text; as printed: from table 5's own figures: {verdict}; no bound")
        for case, quantity, told, value, verdict in rows
    ]  # fmt: skip


def _panels(case: Case, found: Mapping[str, _Done]) -> list[Panel]:
    names = list(found)
    place = tuple(map(float, range(len(names))))
    told = {UAS: PROPOSED[case.name], PLAIN: OPTIMISER[case.name]}
    blank = Performance(float("nan"), float("nan"), float("nan"))
    printed = [told.get(name, blank) for name in names]
    fits = [
        Series("arm", place, tuple(max(float(one.fit[0]), 0.0) for one in found.values()), "bars"),
        Series("pendulum", place, tuple(max(float(one.fit[1]), 0.0) for one in found.values()), "bars"),
        Series("arm, printed", place, tuple(one.arm for one in printed), "bars", emphasis="measured"),
        Series("pendulum, printed", place, tuple(one.pendulum for one in printed), "bars", emphasis="faint"),
    ]
    times = [
        Series("here", place, tuple(one.per_sample for one in found.values()), "bars"),
        Series("printed", place,
               tuple(normalised_time(one.seconds, DURATION[case.name], RATE[case.name]) for one in printed), "bars",
               emphasis="measured"),
    ]  # fmt: skip
    ticks = tuple(names)
    return [
        Panel(f"{case.name}: goodness of fit", "method", "R^2, below zero as 0 [%]", tuple(fits), ticks=ticks),
        Panel(f"{case.name}: computing time (equation 54)", "method", "time per sample used [s]", tuple(times),
              y_scale="log", ticks=ticks),
    ]  # fmt: skip


_CUT = "cut off, not rounded"
