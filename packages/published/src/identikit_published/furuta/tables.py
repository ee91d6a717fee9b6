"""Tables 3 to 5, Figure 12: ten friction parameters by every way, how well they repeat the motion, what they cost."""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from identikit.model import library_model
from identikit.progress import Progress
from identikit.result import Panel, PublishedFigure, Result, Series
from identikit_published._base import Outcome, Scale
from identikit_published.furuta import runs

Array = NDArray[np.float64]

LEAST = 1e-3  # %: bars of smaller errors are drawn so long


def estimate_rows(
    case: runs.Case, by_observer: Mapping[str, float], fits: Sequence[Result], bound: Mapping[str, float]
) -> list[PublishedFigure]:
    """One row per parameter; the best method's is the median over the noise draws, the bound a standard deviation."""
    model = library_model("furuta")
    rows = []
    for name in runs.FREE:
        found = [value for fit in fits if (value := fit.parameters[name].value) is not None]
        told = name in bound
        rows.append(PublishedFigure(f"{name}, true {case.friction[name]:g}", "estimate", model.parameter(name).unit,
                                    case.estimate[name], by_observer[name],
                                    float(np.median(found)) if told and found else None, bound.get(name),
                                    _note(case, name, fits, bound.get(name))))  # fmt: skip
    return rows


def _note(case: runs.Case, name: str, fits: Sequence[Result], bound: float | None) -> str:
    if bound is None:
        return "no bound and no estimate: tanh(4 F_n/F_t) is 1, so no record depends on it"
    share = 100 * bound / case.friction[name]
    said = f"bound: a standard deviation of {share:{'.2g' if share < 100 else '.0f'}} % of the true value"
    untold = sum(fit.parameters[name].identifiable is False for fit in fits)
    return f"{said}; marked as not identifiable in {untold} of {len(fits)} fits" if untold else said


def error_panel(
    case: runs.Case, by_observer: Mapping[str, float], fits: Sequence[Result], bound: Mapping[str, float],
    printed_truth: bool,
) -> Panel:  # fmt: skip
    """Errors in per cent of the truth; the printed estimate's too where the truth is the paper's own."""
    names = [name for name in runs.FREE if name in bound]

    def bars(label: str, values: Mapping[str, float], emphasis: str = "") -> Series:
        heights = [max(100 * abs(values[name]) / case.friction[name], LEAST) for name in names]
        return Series(label, tuple(map(float, range(len(names)))), tuple(heights), "bars", emphasis=emphasis)

    def off(values: Mapping[str, float]) -> dict[str, float]:
        return {name: values[name] - case.friction[name] for name in names}

    scatter = {
        name: float(np.sqrt(np.mean([(fit.value(name) - case.friction[name]) ** 2 for fit in fits]))) for name in names
    }
    shown = [bars("printed", off(case.estimate), "measured")] if printed_truth else []
    shown += [bars("uas, done again", off(by_observer)), bars("kalman, rms", scatter), bars("bound", bound, "bound")]
    return Panel("errors", "parameter (F_t0 and F_t1 cannot be told)", "error [% of the true value]", tuple(shown),
                 y_scale="log", ticks=tuple(names))  # fmt: skip


def line_panel(
    title: str, x_label: str, x: Sequence[float], printed: Sequence[float], line: Sequence[float], told: str
) -> Panel:
    """The printed estimates over what explains them."""
    order = np.argsort(x)
    return Panel(title, x_label, "estimate [unit of each parameter]",
                 (Series(told, tuple(np.array(x)[order]), tuple(np.array(line)[order]), emphasis="model"),
                  Series("printed", tuple(x), tuple(printed), "points", emphasis="printed")), x_scale="log",
                 y_scale="log")  # fmt: skip


SEEDS, QUICK_SEEDS = 5, 1  # noise draws; and if quick
TRUE = np.array([runs.SIMULATION.friction[name] for name in runs.FREE])


def table_3(scale: Scale, progress: Progress) -> Outcome:
    """Ten friction parameters from the simulated record. The printed estimates are a line in the true values."""
    case, seeds = runs.SIMULATION.at(scale), scale.seeds(SEEDS, QUICK_SEEDS)
    progress(0.05, "the adaptive observer")
    by_observer = runs.estimate_of(runs.observed(case, 0), case)
    fits = []
    for seed in range(seeds):
        progress(0.2 + 0.6 * seed / seeds, f"kalman, noise {seed + 1} of {seeds}")
        fits.append(runs.identified(case, seed))
    progress(0.85, "the bound")
    bound = runs.bound_of(case).std
    slope, offset = line()
    below = [
        name
        for name, printed in case.estimate.items()
        if name in bound and abs(printed - case.friction[name]) < bound[name]
    ]
    figures = estimate_rows(case, by_observer, fits, bound) + _line_rows(slope, offset)
    panels = (
        error_panel(case, by_observer, fits, bound, printed_truth=True),
        line_panel("table 3 is a line", "true value [unit of each parameter]", TRUE.tolist(), runs.TABLE_3.tolist(),
                   (slope * TRUE + offset).tolist(), f"{slope:.5f} true + {offset:.3e}"),
    )  # fmt: skip
    settings = {**case.settings, **runs.LAW, "best": "kalman, eight parameters free, from the printed guess, F_t at it"}
    return Outcome(tuple(figures), panels, settings, seeds, notes=(_BELOW.format(names=", ".join(below)), runs.OUTSIDE))


def line() -> tuple[float, float]:
    """Slope and offset of the line through the printed estimates over the true values, relative errors weighed."""
    slope, offset = np.polyfit(TRUE, runs.TABLE_3, 1, w=1 / runs.TABLE_3)
    return float(slope), float(offset)


def _line_rows(slope: float, offset: float) -> list[PublishedFigure]:
    departure = float(np.max(np.abs((slope * TRUE + offset) / runs.TABLE_3 - 1)))
    rates = runs.CONFIDENCE_LOWER + runs.CONFIDENCE_UPPER
    return [
        PublishedFigure("all ten", "greatest departure from a line in the true values, relative", "", departure, None,
                        None, None,
                        "computed from the printed values; no bound, nothing is estimated from data"),
        PublishedFigure("the line", "slope", "", slope, None, None, None, "as above"),
        PublishedFigure("the line", "gamma that its offset asks for", "", rates * offset, None, None, None,
                        f"offset {offset:.3e} times lambda_u + lambda_l = {rates:g}; as above"),
    ]  # fmt: skip


_BELOW = (
    "Printed errors of {names} are smaller than one standard deviation of any unbiased estimate from such a record, "
    "under the tilt and normal forces chosen here."
)


def table_4(scale: Scale, progress: Progress) -> Outcome:
    """Ten friction parameters from the experiment. The printed estimates are a point made of the bounds."""
    case = runs.EXPERIMENT.at(scale)
    progress(0.05, "the adaptive observer")
    by_observer = runs.estimate_of(runs.observed(case, 0), case)
    progress(0.2, "kalman")
    fits = [runs.identified(case, 0)]
    progress(0.85, "the bound")
    bound = runs.bound_of(case).std
    needed = (
        (runs.CONFIDENCE_LOWER + runs.CONFIDENCE_UPPER) * runs.TABLE_4
        - runs.CONFIDENCE_UPPER * runs.UPPER
        - runs.CONFIDENCE_LOWER * runs.LOWER
    )
    point = fixed_point()
    figures = [
        *estimate_rows(case, by_observer, fits, bound),
        PublishedFigure("all ten", "greatest departure from the fixed point, relative", "",
                        float(np.max(np.abs(point / runs.TABLE_4 - 1))),
                        float(np.max(np.abs(np.array(list(by_observer.values())) / point - 1))), None, None,
                        "printed: of the printed values; as printed: of the observer on the stand-in; no bound, no "
                        "record enters"),
        PublishedFigure("gamma", "least and greatest over the ten parameters", "",
                        f"{needed.min():.6f} to {needed.max():.6f}", runs.GAMMA, None, None,
                        "(lambda_u + lambda_l) estimate - lambda_u upper of every printed estimate; no bound, as "
                        "above"),
    ]  # fmt: skip
    panels = (
        error_panel(case, by_observer, fits, bound, printed_truth=False),
        line_panel("table 4 is the fixed point", "upper bound of table 2 [unit of each parameter]", runs.UPPER.tolist(),
                   runs.TABLE_4.tolist(), point.tolist(), f"(upper + {runs.GAMMA:g}) / 51"),
    )  # fmt: skip
    settings = {**case.settings, **runs.LAW, "best": "kalman, 100 Hz, eight parameters free, F_t at its guess"}
    return Outcome(tuple(figures), panels, settings)


def fixed_point() -> np.ndarray:
    """Where the adaptation law of table 2 goes on any record."""
    pull = runs.GAMMA + runs.CONFIDENCE_UPPER * runs.UPPER + runs.CONFIDENCE_LOWER * runs.LOWER
    return np.asarray(pull / (runs.CONFIDENCE_UPPER + runs.CONFIDENCE_LOWER))


STEPS = 200  # of the plain optimiser at most; it stops by itself before
DURATION = {"simulation": 35.0, "experiment": 20.28}  # s, printed
RATE = {"simulation": 1e3, "experiment": 1e4}  # Hz, printed
UAS, KALMAN, PLAIN, SHOOTING = "uas", "kalman", "plain optimiser", "shooting"


@dataclass(frozen=True)
class _Done:
    """R^2 of both angles in per cent, the seconds it took, those per sample used (equation 54), and how it ended."""

    fit: Array
    seconds: float
    per_sample: float
    said: str


def table_5(scale: Scale, progress: Progress) -> Outcome:
    """Nd Figure 12: goodness of fit and computing time of the adaptive observer, an optimiser, and ours."""
    figures: list[PublishedFigure] = []
    panels: list[Panel] = []
    cases = (runs.SIMULATION.at(scale),) if scale.quick else (runs.SIMULATION, runs.EXPERIMENT)
    for part, case in enumerate(cases):
        found = _compared(case, scale, progress.part(part / len(cases), (part + 1) / len(cases)))
        bound = None if scale.quick else runs.goodness_bound(case, runs.bound_of(case))
        figures += _rows(case, found, bound, runs.PROPOSED[case.name], "proposed", UAS, KALMAN)
        figures += _rows(case, found, bound, runs.OPTIMISER[case.name], "optimisation", PLAIN, SHOOTING)
        panels += _panels(case, found)
    figures += [*_ratios(), *_said()]
    settings = {**runs.LAW, "simulation": str(dict(runs.SIMULATION.settings)),
                "experiment": str(dict(runs.EXPERIMENT.settings)),
                "plain optimiser": "least_squares around solve_ivp, all ten free, until it stops by itself",
                "kalman, shooting": "eight parameters free, from the printed guess, F_t at it"}  # fmt: skip
    return Outcome(tuple(figures), tuple(panels), settings, 1)


def _compared(case: runs.Case, scale: Scale, progress: Progress) -> dict[str, _Done]:
    """Every method on the same record, from the printed guess."""
    moving = slice(case.fitted.stop)  # at rest the friction is stiff, and an integration takes minutes
    measured = case.measured(0)[:, moving]
    ways: dict[str, Callable[[], Mapping[str, float] | runs.PlainFit]] = {
        UAS: lambda: runs.estimate_of(runs.observed(case, 0), case),
        KALMAN: lambda: runs.estimate_of(runs.identified(case, 0), case),
    }
    if not scale.quick:
        ways[PLAIN] = lambda: runs.plain_fit(case.time[moving], measured, case.guess, STEPS, case.start)
        ways[SHOOTING] = lambda: runs.estimate_of(runs.identified(case, 0, "shooting"), case)
    found = {}
    for place, (name, way) in enumerate(ways.items()):
        progress(place / len(ways), f"{case.name}: {name}")
        if name == UAS:
            way()  # compiles, which the others' times hardly notice
        begun = clock.perf_counter()
        came_to = way()
        seconds = clock.perf_counter() - begun
        values, said = (came_to.values, _ended(came_to)) if isinstance(came_to, runs.PlainFit) else (came_to, "")
        used = {UAS: slice(None), PLAIN: moving}.get(name, case.fitted)
        samples = len(case.time[used])
        fit = runs.goodness_of_fit(case.free_motion(values)[:2], case.clean[:2])
        found[name] = _Done(fit, seconds, runs.normalised_time(seconds, samples, 1.0), said)
    return found


def _ended(found: runs.PlainFit) -> str:
    how = "stopped by itself" if found.converged else "had not stopped by itself"
    return f"; the plain optimiser {how} after {found.evaluations} evaluations"


def _rows(
    case: runs.Case, found: Mapping[str, _Done], bound: Array | None, printed: runs.Performance, label: str,
    as_printed: str, best: str,
) -> list[PublishedFigure]:  # fmt: skip
    """The rows of one column of the table: the method as printed, and ours of the same kind."""
    old, new = found.get(as_printed), found.get(best)
    title = f"{case.name}, {label}"
    methods = f"as printed: {as_printed}; best: {best}"
    per_sample = runs.normalised_time(printed.seconds, DURATION[case.name], RATE[case.name])
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
        PublishedFigure(title, "normalised computation time (equation 54)", "s per sample", per_sample,
                        old.per_sample if old else None, new.per_sample if new else None, None,
                        "printed: from the printed time, duration and rate; here: over the samples that the method "
                        "used, of which the experiment has 20,281 (uas), 10,000 (plain optimiser) and 1,000 (kalman, "
                        "shooting); as above"),
    ]  # fmt: skip


def _ratios() -> list[PublishedFigure]:
    """Optimisation over the proposed method: what the text says against what the table has."""
    return [
        PublishedFigure(name, "time of optimisation over that of the proposed method", "", told,
                        runs.OPTIMISER[name].seconds / runs.PROPOSED[name].seconds, None, None,
                        "printed: in the text; as printed: from the table's own times, so the text has the two "
                        "exchanged; no bound")
        for name, told in (("simulation", "about 500"), ("experiment", "about 1300"))
    ]  # fmt: skip


def _said() -> list[PublishedFigure]:
    """Figures of abstract and text, beside what table 5 gives for them."""
    saved = [100 * (1 - runs.PROPOSED[name].seconds / runs.OPTIMISER[name].seconds) for name in runs.PROPOSED]
    first, second = runs.PROPOSED["simulation"], runs.PROPOSED["experiment"]
    rows = (("least of both runs", "reduction of the time", "more than 99", min(saved), "true"),
            ("experiment", "R^2, mean of both angles", "around 85", (second.arm + second.pendulum) / 2, "true"),
            ("simulation", "R^2, worse of both angles", "98 for both", min(first.arm, first.pendulum), _CUT),
            ("simulation", "R^2, better of both angles", "98 for both", max(first.arm, first.pendulum), _MORE),
            ("experiment", "R^2, arm, in the text", "77", second.arm, _CUT),
            ("experiment", "R^2, pendulum, in the text", "91", second.pendulum, _CUT))  # fmt: skip
    return [
        PublishedFigure(case, quantity, "%", told, value, None, None,
                        f"printed: in the text; as printed: from table 5's own figures: {verdict}; no bound")
        for case, quantity, told, value, verdict in rows
    ]  # fmt: skip


def _panels(case: runs.Case, found: Mapping[str, _Done]) -> list[Panel]:
    names = list(found)
    place = tuple(map(float, range(len(names))))
    told = {UAS: runs.PROPOSED[case.name], PLAIN: runs.OPTIMISER[case.name]}
    blank = runs.Performance(float("nan"), float("nan"), float("nan"))
    printed = [told.get(name, blank) for name in names]
    fits = [
        Series("arm", place, tuple(max(float(one.fit[0]), 0.0) for one in found.values()), "bars"),
        Series("pendulum", place, tuple(max(float(one.fit[1]), 0.0) for one in found.values()), "bars"),
        Series("arm, printed", place, tuple(one.arm for one in printed), "bars", emphasis="measured"),
        Series("pendulum, printed", place, tuple(one.pendulum for one in printed), "bars", emphasis="faint"),
    ]
    times = [Series("here", place, tuple(one.per_sample for one in found.values()), "bars"),
             Series("printed", place,
                    tuple(runs.normalised_time(one.seconds, DURATION[case.name], RATE[case.name]) for one in printed),
                    "bars", emphasis="measured")]  # fmt: skip
    ticks = tuple(names)
    return [Panel(f"{case.name}: goodness of fit", "method", "R^2, below zero as 0 [%]", tuple(fits), ticks=ticks),
            Panel(f"{case.name}: computing time (equation 54)", "method", "time per sample used [s]", tuple(times),
                  y_scale="log", ticks=ticks)]  # fmt: skip


_CUT, _MORE = "cut off, not rounded", "99 or 100"
