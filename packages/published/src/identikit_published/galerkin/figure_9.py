"""Figure 9: the identified origami simulated against the record, and the acceleration of its base."""

from __future__ import annotations

import numpy as np
from scipy.optimize import least_squares

from identikit.progress import Progress
from identikit_published._base import GALERKIN_PAPER, Item, Outcome, Scale
from identikit_published.galerkin import _origami as origami
from identikit_published.galerkin._spectrum import off_lines, spectrum, spectrum_panel
from identikit.result import Panel, PublishedFigure, Series

PARTED = 0.005  # m between simulation and record
SECONDS_SHOWN = 2.0  # s of the time histories
FITTED = 0.5  # s that tell the initial state


def run(scale: Scale, progress: Progress) -> Outcome:
    progress(0.0, "identifying the origami")
    record, true = origami.noisy(0, base=True), origami.clean()
    near, result = origami.as_printed(origami.noisy(0), origami.TRUTH), origami.best(origami.noisy(0))
    values = {"as printed": near.last, "best here": origami.vector(result)}
    motions = {}
    for place, (name, found) in enumerate(values.items()):
        progress(0.3 + 0.3 * place, f"simulating, {name}")
        named = dict(zip(origami.TRUTH, found.tolist(), strict=True))
        first = (float(record.mass[0, 0]), float(record.mass[1, 0]))
        begin = _begun(record, first, named) if name == "best here" else first
        motions[name] = origami.response(begin, true.time, named)[0] - true.base[0]
    rms, between = 1000 * float(np.std(record.relative)), _between(record.relative)
    compared = (
        ("simulation and record", "time until they part by 5 mm", "s", "not given", _together, _PARTED),
        (f"X - Y, record {rms:.2f} mm", "rms", "mm", "similar", lambda motion: 1000 * float(np.std(motion)), ""),
        (f"X - Y, record {between:.0f} %", "power between the lines", "%", "similar", _between, ""),
    )
    figures = [
        PublishedFigure(case, what, unit, told, of(motions["as printed"]), of(motions["best here"]), None, note)
        for case, what, unit, told, of, note in compared
    ]
    figures.append(_acceleration(record, true))
    early = true.time <= origami.RECORD_BEGIN + SECONDS_SHOWN
    at = tuple(true.time[early])
    measured = Series("record", at, tuple(1000 * record.relative[early]), emphasis="measured")
    labelled = {
        "record": spectrum(true.time, 1000 * record.relative),
        "simulated": spectrum(true.time, 1000 * motions["as printed"]),
    }
    panels = [
        Panel(f"(a) simulated {name}, and the record", "time [s]", "X - Y [mm]",
              (measured, Series("simulated", at, tuple(1000 * motion[early]), emphasis="model")))
        for name, motion in motions.items()
    ]  # fmt: skip
    panels += [spectrum_panel("(a) spectra", "X - Y [mm]", labelled), _acceleration_panel(record)]
    return Outcome(
        tuple(figures), tuple(panels), _NOTES, {**origami.SETTINGS, "noise of the base": "40 dB on Y and Y'"}, 1
    )


def _begun(record: origami.Shaken, first: tuple[float, float], values: dict[str, float]) -> tuple[float, float]:
    """The initial state whose motion fits the first samples best, from the first of them on."""
    count = round(FITTED / origami.ORIGAMI_SPACING)
    measured, scale = record.mass[:, :count], np.std(record.mass, axis=1)[:, None]

    def off(begin: np.ndarray) -> np.ndarray:
        motion = origami.response((float(begin[0]), float(begin[1])), record.time[:count], values)
        return ((motion - measured) / scale).ravel()

    x, v = least_squares(off, first, x_scale=scale.ravel()).x
    return float(x), float(v)


def _together(motion: np.ndarray) -> float:
    """For how long, s; the whole record if they never part."""
    true = origami.clean()
    apart = np.flatnonzero(np.abs(motion - true.relative) > PARTED)
    return float(true.time[apart[0] if len(apart) else -1] - origami.RECORD_BEGIN)


def _between(motion: np.ndarray) -> float:
    """Per cent of the power between the lines."""
    return 100 * off_lines(origami.clean().time, motion, origami.FREQUENCY)


def _difference(record: origami.Shaken) -> np.ndarray:
    """Y'' by forward differences of Y', as the paper takes it."""
    return np.diff(record.base[1]) / origami.ORIGAMI_SPACING


def _fitted(record: origami.Shaken) -> np.ndarray:
    """Y'' of a sine of known frequency through Y'."""
    phase = origami.PULSATION * record.time
    columns = np.stack([np.cos(phase), np.sin(phase)], axis=1)
    cosine, sine = np.linalg.lstsq(columns, record.base[1], rcond=None)[0]
    return np.asarray(origami.PULSATION * (sine * np.cos(phase) - cosine * np.sin(phase)))


def _acceleration(record: origami.Shaken, true: origami.Shaken) -> PublishedFigure:
    middle = true.time[:-1] + origami.ORIGAMI_SPACING / 2
    between, at_samples = (
        -origami.AMPLITUDE * origami.PULSATION**2 * np.sin(origami.PULSATION * time) for time in (middle, true.time)
    )
    noise = float(np.std(record.base[1] - true.base[1]))
    return PublishedFigure(
        "acceleration of the base, 10.6 m/s^2", "rms error", "m/s^2", "a noisy curve",
        float(np.sqrt(np.mean((_difference(record) - between) ** 2))),
        float(np.sqrt(np.mean((_fitted(record) - at_samples) ** 2))),
        float(origami.PULSATION * noise * np.sqrt(2 / len(true.time))),
        "as printed by forward differences, best by a sine of the known frequency through the same samples",
    )  # fmt: skip


def _acceleration_panel(record: origami.Shaken) -> Panel:
    early = record.time[:-1] <= origami.RECORD_BEGIN + SECONDS_SHOWN / 2
    at = tuple(record.time[:-1][early])
    series = (
        Series("forward differences", at, tuple(_difference(record)[early]), emphasis="measured"),
        Series("sine fitted to Y'", at, tuple(_fitted(record)[:-1][early]), emphasis="model"),
    )
    return Panel("(b) acceleration of the base", "time [s]", "Y'' [m/s^2]", series)


_PARTED = "the motion is chaotic: small differences grow tenfold in about 0.4 s, so accuracy buys little time"
_NOTES = (
    "The 'measured' response is a simulated stand-in with the values of Table 4 and 40 dB of noise; one draw.",
    "As printed: the first noisy sample as initial state, and the parameters of the printed loss (its minimum next to "
    "the truth). Best: the parameters of Table 4's best column, and the initial state fitted to half a second.",
    "Agreement of spectra and amplitudes is what a chaotic record allows; it is weak evidence for the parameters. The "
    "first three rows compare motions and have no bound.",
)

ITEM = Item(
    "galerkin-figure-9",
    GALERKIN_PAPER,
    "Figure 9",
    "Origami: simulated against measured, and the base's acceleration",
    run,
)
