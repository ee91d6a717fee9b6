"""Table 2, Figures 7 and 8: the chaotic Duffing oscillator."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from identikit.explore import lyapunov_exponent, poincare_section
from identikit.model import library_model
from identikit.progress import Progress
from identikit.result import Panel, PublishedFigure, Series
from identikit_published import independent
from identikit_published._base import Outcome, Scale
from identikit_published.energy import procedure

MODEL = "duffing"
CHAOS_PER_PERIOD = 200  # samples; the paper gives no rate
PART = 10  # forcing periods of the parts whose initial states are unknowns of their own
THINNED = 4  # of the parts' samples one is fitted
KNOWN = {"F": procedure.FORCE, "Omega": procedure.FREQUENCY}
NOISE = 0.01  # of the largest displacement: what the largest draw is scaled to
SHORT = 20  # forcing periods of the record from which figures 7 and 8 take an estimate


def times(periods: int) -> procedure.Array:
    """Of the samples, s."""
    return np.asarray(np.arange(periods * CHAOS_PER_PERIOD) * (procedure.PERIOD / CHAOS_PER_PERIOD), np.float64)


def in_parts(measured: procedure.Array) -> dict[str, float]:
    """m, c, k, k3 by shooting: every part begins a whole number of periods after the first, so the force is the
    same."""
    length = PART * CHAOS_PER_PERIOD
    cut = [measured[i : i + length : THINNED] for i in range(0, len(measured) - length + 1, length)]
    return procedure.fitted_together(MODEL, times(PART)[::THINNED], cut, list(procedure.DUFFING), fix=KNOWN)


def estimated(seed: int) -> dict[str, float]:
    """From a short record of its own."""
    clean = procedure.duffing(times(SHORT))[0]
    return in_parts(clean + procedure.scaled_noise(len(clean), NOISE * float(np.abs(clean).max()), seed))


TABLE_2_PERIODS, TABLE_2_QUICK_PERIODS = 100, 60  # of the forcing; and if quick
APART = 10  # forcing periods between the two times of a pair, as printed
SEEDS, QUICK_SEEDS = 3, 1  # noise draws; and if quick
UNITS = {"m": "kg", "c": "N s/m", "k": "N/m", "k3": "N/m^3"}
PRINTED_NORM = 0.009  # E_p as printed
AS_PRINTED, STROBED, ENERGY, SHOOTING = "as printed", "once per period", "method energy", "shooting in parts"


def table_2(scale: Scale, progress: Progress) -> Outcome:
    """Four parameters of a forced Duffing oscillator from a chaotic record."""
    periods, seeds = TABLE_2_QUICK_PERIODS if scale.quick else TABLE_2_PERIODS, scale.seeds(SEEDS, QUICK_SEEDS)
    time = times(periods)
    progress(0.0, "the motion")
    states = procedure.duffing(time)
    largest = NOISE * float(np.abs(states[0]).max())
    found: dict[str, list[Mapping[str, float]]] = {AS_PRINTED: [], STROBED: [], ENERGY: [], SHOOTING: []}
    for seed in range(seeds):
        progress(0.1 + 0.8 * seed / seeds, f"noise {seed + 1} of {seeds}")
        for name, values in _estimates(time, states[0] + procedure.scaled_noise(len(time), largest, seed)).items():
            found[name].append(values)
    noise = float(np.std(procedure.scaled_noise(len(time), largest, 0)))
    limit = _bounds(time, states, noise)
    figures = [
        PublishedFigure(name, f"estimate, true {true:g}", UNITS[name], procedure.TABLE_2[name],
                        procedure.medians(found[AS_PRINTED])[name], procedure.medians(found[SHOOTING])[name],
                        limit[name],
                        f"bound: a standard deviation, from all samples; best: from every {THINNED}th")
        for name, true in procedure.DUFFING.items()
    ]  # fmt: skip
    best, bound = procedure.rms_norm(found[SHOOTING], procedure.DUFFING), procedure.norm_bound(limit, procedure.DUFFING)
    figures += [
        PublishedFigure(
            "all four", f"E_p, {name}", "", told, procedure.rms_norm(found[name], procedure.DUFFING), best, bound, note
        )
        for name, told, note in (
            (AS_PRINTED, PRINTED_NORM,
             f"of the printed row {procedure.error_norm(procedure.TABLE_2, procedure.DUFFING):.4f}"),
            (STROBED, PRINTED_NORM, "points 10 periods apart, one per period: read literally, it tells k worse"),
            (ENERGY, PRINTED_NORM, "splines of higher order, noise taken out of the squares, all pairs"),
        )
    ]  # fmt: skip
    return Outcome(tuple(figures), (_panel(found, limit),), _settings(periods), seeds)


def _estimates(time: procedure.Array, measured: procedure.Array) -> dict[str, dict[str, float]]:
    """Every method on one record."""
    record, span = procedure.SmoothedRecord.of(time, measured), APART * CHAOS_PER_PERIOD
    return {AS_PRINTED: procedure.duffing_balance(record, procedure.Pairs.apart(span, len(record.x))),
            STROBED: procedure.duffing_balance(record, procedure.Pairs.apart(span, len(record.x), CHAOS_PER_PERIOD)),
            ENERGY: procedure.fitted(MODEL, time, measured, list(procedure.DUFFING), "energy", fix=KNOWN),
            SHOOTING: in_parts(measured)}  # fmt: skip


def _bounds(time: procedure.Array, states: procedure.Array, noise: float) -> dict[str, float]:
    """Of the parts, each with an unknown initial state.

    One sample in THINNED stands for all of its neighbours, with as much less noise: the information is the same.
    """
    begins = range(0, len(time) - PART * CHAOS_PER_PERIOD + 1, PART * CHAOS_PER_PERIOD)
    starts = [{"x": float(states[0, i]), "v": float(states[1, i])} for i in begins]
    likelihood = procedure.planned(
        MODEL, times(PART)[::THINNED], noise / np.sqrt(THINNED), procedure.DUFFING, starts, KNOWN
    )
    return procedure.bounds_of(likelihood, procedure.DUFFING)


def _panel(found: Mapping[str, list[Mapping[str, float]]], limit: Mapping[str, float]) -> Panel:
    names = list(procedure.DUFFING)
    place = tuple(map(float, range(len(names))))

    def bars(label: str, errors: list[float], emphasis: str = "") -> Series:
        return Series(label, place, tuple(max(100 * error, 1e-3) for error in errors), "bars", emphasis=emphasis)

    series = [
        bars("printed", [abs(procedure.TABLE_2[name] / procedure.DUFFING[name] - 1) for name in names], "measured")
    ]
    for label in (AS_PRINTED, ENERGY, SHOOTING):
        errors = [
            float(np.sqrt(np.mean([(one[name] / procedure.DUFFING[name] - 1) ** 2 for one in found[label]])))
            for name in names
        ]
        series.append(bars(label, errors))
    series.append(bars("bound", [limit[name] / procedure.DUFFING[name] for name in names], "bound"))
    return Panel("errors", "parameter", "rms error [%]", tuple(series), y_scale="log", ticks=tuple(names))


def _settings(periods: int) -> dict[str, object]:
    return {
        "F [N], Omega [rad/s]": f"{procedure.FORCE:g}, {procedure.FREQUENCY:g}, known",
        "samples per period": CHAOS_PER_PERIOD,
        "periods": periods,
        "start": f"{procedure.START}, ours; the transient is kept",
        "noise": "normal, the largest draw 1 % of the largest displacement",
        "parts": f"{PART} periods each; shooting has every {THINNED}th sample, the bound is that of all",
    }


FIGURE_7_PERIODS, FIGURE_7_QUICK_PERIODS = 100, 25  # of the forcing; and if quick
SETTLING = 20  # periods left out
FIGURE_7_PER_PERIOD = 100  # points that are drawn
BLOCKS = 10  # of the run, whose scatter gives the standard error of a mean


def figure_7(scale: Scale, progress: Progress) -> Outcome:
    """Phase portraits of the chaotic Duffing oscillator with the reference and with estimated parameters."""
    periods = FIGURE_7_QUICK_PERIODS if scale.quick else FIGURE_7_PERIODS
    progress(0.1, "an estimate of ours")
    sets = {"reference": procedure.DUFFING, "printed estimate": procedure.TABLE_2, "shooting": estimated(0)}
    samples = (SETTLING + periods) * FIGURE_7_PER_PERIOD
    time = np.linspace(0, (SETTLING + periods) * procedure.PERIOD, samples, endpoint=False)
    progress(0.4, "motions")
    motions = {
        name: procedure.duffing(time, values)[:, SETTLING * FIGURE_7_PER_PERIOD :] for name, values in sets.items()
    }
    figures = [
        _statistic(f"root mean square of {label}", unit, [motion[row] ** 2 for motion in motions.values()])
        for row, label, unit in ((0, "the displacement", "m"), (1, "the velocity", "m/s"))
    ]
    progress(0.7, "exponents")
    model = library_model("duffing")
    exponents = [lyapunov_exponent(model, {**values, **KNOWN}) for values in sets.values()]
    figures.append(
        PublishedFigure(
            "largest Lyapunov exponent",
            f"reference {exponents[0].value:.3f}",
            "1/s",
            "chaotic",
            exponents[1].value,
            exponents[2].value,
            None,
            f"standard errors {', '.join(f'{one.std:.3f}' for one in exponents)}; no bound: a statistic of a motion",
        )
    )
    panels = tuple(
        Panel(f"{'(a)' if name == 'reference' else '(b)'} {name}", "displacement [m]", "velocity [m/s]",
              (Series("", tuple(motions[name][0]), tuple(motions[name][1])),))
        for name in ("reference", "printed estimate")
    )  # fmt: skip
    settings = {"F [N], Omega [rad/s]": f"{KNOWN['F']:g}, {KNOWN['Omega']:g}", "periods": periods,
                "start": f"{procedure.START}, ours; the first {SETTLING} periods are left out",
                "best": f"shooting on {SHORT} periods, noise of at most 1 %"}  # fmt: skip
    return Outcome(tuple(figures), panels, settings, 1)


def _statistic(name: str, unit: str, squares: list[procedure.Array]) -> PublishedFigure:
    """Root mean squares with their standard errors from parts of the run."""
    values = [float(np.sqrt(np.mean(one))) for one in squares]
    errors = []
    for value, one in zip(values, squares, strict=True):
        means = one[: len(one) // BLOCKS * BLOCKS].reshape(BLOCKS, -1).mean(axis=1)
        errors.append(float(np.std(means) / np.sqrt(BLOCKS - 1)) / (2 * value))
    return PublishedFigure(
        name,
        f"reference {values[0]:.3f}",
        unit,
        "similar",
        values[1],
        values[2],
        None,
        f"standard errors {', '.join(f'{error:.3f}' for error in errors)}; no bound: a statistic of a chaotic motion",
    )


POINTS, QUICK_POINTS = 10_000, 2_000  # forcing periods
LEFT_OUT = 50  # of them left out
LANES = 100  # motions side by side, by the other integrator
CELLS = 20  # of a grid in each direction, over which sections are compared
REFERENCE, PRINTED, OURS, OTHER = "reference", "printed estimate", "shooting", "reference by SciPy"

STATISTICS: tuple[tuple[str, str, Callable[[procedure.Array], float]], ...] = (
    ("mean displacement", "m", lambda section: float(section[0].mean())),
    ("standard deviation of the displacement", "m", lambda section: float(section[0].std())),
    ("mean velocity", "m/s", lambda section: float(section[1].mean())),
    ("standard deviation of the velocity", "m/s", lambda section: float(section[1].std())),
)


def figure_8(scale: Scale, progress: Progress) -> Outcome:
    """Poincare sections of the chaotic Duffing oscillator, by their statistics."""
    points = QUICK_POINTS if scale.quick else POINTS
    progress(0.1, "an estimate of ours")
    sets = {REFERENCE: procedure.DUFFING, PRINTED: procedure.TABLE_2, OURS: estimated(0)}
    sections = {}
    for place, (name, values) in enumerate(sets.items()):
        progress(0.3 + 0.1 * place, f"section: {name}")
        sections[name] = _section(values, points)
    progress(0.6, "section by another integrator")
    sections[OTHER] = _other(points)
    figures = [
        PublishedFigure(label, f"reference {value(sections[REFERENCE]):.3f}", unit, "similar",
                        value(sections[PRINTED]), value(sections[OURS]), None,
                        f"reference by SciPy {value(sections[OTHER]):.3f}; no bound: a statistic of a chaotic motion")
        for label, unit, value in STATISTICS
    ]  # fmt: skip
    same = _apart(sections[REFERENCE], sections[OTHER])
    figures.append(
        PublishedFigure(
            "distance from the reference section",
            "share of points that lie in other cells",
            "",
            "similar",
            _apart(sections[REFERENCE], sections[PRINTED]),
            _apart(sections[REFERENCE], sections[OURS]),
            None,
            f"two sections of the same oscillator by two integrators are {same:.3f} apart; no bound, as above",
        )
    )
    panels = tuple(
        Panel(f"{title} {name}", "displacement [m]", "velocity [m/s]",
              (Series("", tuple(sections[name][0]), tuple(sections[name][1]), "points"),))
        for title, name in (("(a)", REFERENCE), ("(b)", PRINTED))
    )  # fmt: skip
    settings = {"F [N], Omega [rad/s]": f"{procedure.FORCE:g}, {procedure.FREQUENCY:g}", "periods": points,
                "start": f"the model's own, and random ones by SciPy; the first {LEFT_OUT} periods are left out (ours)",
                "cells": f"{CELLS} x {CELLS}",
                "best": f"shooting on {SHORT} periods, noise of at most 1 %"}  # fmt: skip
    return Outcome(tuple(figures), panels, settings, 1)


def _section(values: Mapping[str, float], points: int) -> procedure.Array:
    """Displacement and velocity [2, points] once per period of the force."""
    model = library_model("duffing")
    found = poincare_section(
        model, {**values, **KNOWN}, points=points, period=procedure.PERIOD, transient=LEFT_OUT * procedure.PERIOD
    )
    return np.asarray(found.states)


def _other(points: int) -> procedure.Array:
    """The same of the reference by SciPy, from many starts side by side: in chaos they share one section."""
    random = np.random.default_rng(0)
    m, c, k, k3 = procedure.DUFFING.values()

    def rate(t: float, x: procedure.Array) -> list[float]:
        position, velocity = x[:LANES], x[LANES:]
        force = procedure.FORCE * np.cos(procedure.FREQUENCY * t) - c * velocity - k * position - k3 * position**3
        return [*velocity.tolist(), *(force / m).tolist()]

    time = np.arange(LEFT_OUT + points // LANES) * procedure.PERIOD
    states = independent.smooth(rate, random.uniform(-2, 2, 2 * LANES).tolist(), time)[:, LEFT_OUT:]
    return np.array([states[:LANES].ravel(), states[LANES:].ravel()])


def _apart(one: procedure.Array, other: procedure.Array) -> float:
    """Total variation between two sections on a grid: 0 = the same, 1 = nothing in common."""
    both = np.hstack([one, other])
    limits = [(row.min(), row.max()) for row in both]
    shares = [np.histogram2d(x, v, bins=CELLS, range=limits)[0] / len(x) for x, v in (one, other)]
    return float(np.abs(shares[0] - shares[1]).sum() / 2)
