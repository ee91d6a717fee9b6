"""Table 2: four parameters of a forced Duffing oscillator from a chaotic record."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from identikit.progress import Progress
from identikit_published._base import ENERGY_PAPER, Item, Outcome, Scale
from identikit_published.energy._as_printed import Pairs, SmoothedRecord, duffing_balance, medians
from identikit_published.energy._chaos import KNOWN, MODEL, NOISE, PART, PER_PERIOD, THINNED, in_parts, times
from identikit_published.energy._fitted import bounds_of, fitted, norm_bound, planned, rms_norm
from identikit_published.energy.oscillators import (
    DUFFING,
    FORCE,
    FREQUENCY,
    START,
    Array,
    duffing,
    error_norm,
    scaled_noise,
)
from identikit_published.energy.printed import TABLE_2
from identikit.result import Panel, PublishedFigure, Series

PERIODS, QUICK_PERIODS = 100, 60  # of the forcing; and if quick
APART = 10  # forcing periods between the two times of a pair, as printed
SEEDS, QUICK_SEEDS = 3, 1  # noise draws; and if quick
UNITS = {"m": "kg", "c": "N s/m", "k": "N/m", "k3": "N/m^3"}
PRINTED_NORM = 0.009  # E_p as printed
AS_PRINTED, STROBED, ENERGY, SHOOTING = "as printed", "once per period", "method energy", "shooting in parts"


def run(scale: Scale, progress: Progress) -> Outcome:
    periods, seeds = QUICK_PERIODS if scale.quick else PERIODS, scale.seeds(SEEDS, QUICK_SEEDS)
    time = times(periods)
    progress(0.0, "the motion")
    states = duffing(time)
    largest = NOISE * float(np.abs(states[0]).max())
    found: dict[str, list[Mapping[str, float]]] = {AS_PRINTED: [], STROBED: [], ENERGY: [], SHOOTING: []}
    for seed in range(seeds):
        progress(0.1 + 0.8 * seed / seeds, f"noise {seed + 1} of {seeds}")
        for name, values in _estimates(time, states[0] + scaled_noise(len(time), largest, seed)).items():
            found[name].append(values)
    noise = float(np.std(scaled_noise(len(time), largest, 0)))
    limit = _bounds(time, states, noise)
    figures = [
        PublishedFigure(
            name,
            f"estimate, true {true:g}",
            UNITS[name],
            TABLE_2[name],
            medians(found[AS_PRINTED])[name],
            medians(found[SHOOTING])[name],
            limit[name],
            f"bound: a standard deviation, from all samples; best: from every {THINNED}th",
        )
        for name, true in DUFFING.items()
    ]
    best, bound = rms_norm(found[SHOOTING], DUFFING), norm_bound(limit, DUFFING)
    figures += [
        PublishedFigure("all four", f"E_p, {name}", "", told, rms_norm(found[name], DUFFING), best, bound, note)
        for name, told, note in (
            (AS_PRINTED, PRINTED_NORM, f"of the printed row {error_norm(TABLE_2, DUFFING):.4f}"),
            (STROBED, PRINTED_NORM, "points 10 periods apart, one per period: read literally, it tells k worse"),
            (ENERGY, PRINTED_NORM, "splines of higher order, noise taken out of the squares, all pairs"),
        )
    ]
    return Outcome(tuple(figures), (_panel(found, limit),), _REMARKS, _settings(periods), seeds)


def _estimates(time: Array, measured: Array) -> dict[str, dict[str, float]]:
    """Every method on one record."""
    record, span = SmoothedRecord.of(time, measured), APART * PER_PERIOD
    return {
        AS_PRINTED: duffing_balance(record, Pairs.apart(span, len(record.x))),
        STROBED: duffing_balance(record, Pairs.apart(span, len(record.x), PER_PERIOD)),
        ENERGY: fitted(MODEL, time, measured, list(DUFFING), "energy", fix=KNOWN),
        SHOOTING: in_parts(measured),
    }


def _bounds(time: Array, states: Array, noise: float) -> dict[str, float]:
    """Of the parts, each with an unknown initial state.

    One sample in THINNED stands for all of its neighbours, with as much less noise: the information is the same.
    """
    begins = range(0, len(time) - PART * PER_PERIOD + 1, PART * PER_PERIOD)
    starts = [{"x": float(states[0, i]), "v": float(states[1, i])} for i in begins]
    likelihood = planned(MODEL, times(PART)[::THINNED], noise / np.sqrt(THINNED), DUFFING, starts, KNOWN)
    return bounds_of(likelihood, DUFFING)


def _panel(found: Mapping[str, list[Mapping[str, float]]], limit: Mapping[str, float]) -> Panel:
    names = list(DUFFING)
    place = tuple(map(float, range(len(names))))

    def bars(label: str, errors: list[float], emphasis: str = "") -> Series:
        return Series(label, place, tuple(max(100 * error, 1e-3) for error in errors), "bars", emphasis=emphasis)

    series = [bars("printed", [abs(TABLE_2[name] / DUFFING[name] - 1) for name in names], "measured")]
    for label in (AS_PRINTED, ENERGY, SHOOTING):
        errors = [
            float(np.sqrt(np.mean([(one[name] / DUFFING[name] - 1) ** 2 for one in found[label]]))) for name in names
        ]
        series.append(bars(label, errors))
    series.append(bars("bound", [limit[name] / DUFFING[name] for name in names], "bound"))
    return Panel("errors", "parameter", "rms error [%]", tuple(series), y_scale="log", ticks=tuple(names))


def _settings(periods: int) -> dict[str, object]:
    return {
        "F [N], Omega [rad/s]": f"{FORCE:g}, {FREQUENCY:g}, known",
        "samples per period": PER_PERIOD,
        "periods": periods,
        "start": f"{START}, ours; the transient is kept",
        "noise": "normal, the largest draw 1 % of the largest displacement",
        "parts": f"{PART} periods each; shooting has every {THINNED}th sample, the bound is that of all",
    }


_REMARKS = (
    "The motion is chaotic: over the whole record the information grows without limit and tells nothing that a method "
    "could use. The bound is that of the record in parts of ten forcing periods, each with an unknown initial state.",
    "Rate, length and smoothing are not printed. With these, and smoothing by cross-validation, the procedure comes to "
    "about twice the printed error, nearly all of it in k, since k x^2 is small beside k3 x^4.",
)

ITEM = Item("energy-table-2", ENERGY_PAPER, "Table 2", "Four parameters of the chaotic Duffing oscillator", run)
