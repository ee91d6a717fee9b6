"""Figures 6, 7, 10 and 11: how well the motion is repeated with what was estimated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from identikit.progress import Progress
from identikit.result import Panel, PublishedFigure, Series
from identikit_published._base import Outcome, Scale
from identikit_published.furuta.runs import (
    EXPERIMENT,
    JOINTS,
    OUTPUTS,
    PROPOSED,
    SIMULATION,
    START,
    TRUE,
    Case,
    goodness_of_fit,
    stiff_furuta,
)
from identikit_published.furuta.ways import LAW, bound_of, estimate_of, goodness_bound, identified, observed

Array = NDArray[np.float64]


GUESS, PRINTED, OBSERVER, FITTED = "initial guess", "printed estimate", "uas, done again", "kalman"
EVERY = 20  # samples: what is drawn
HIGHEST = 3.0  # Hz of the spectra that are drawn
PADDED = 64  # times the record's length, so that a spectrum's peak is found between its lines
BEGINNING = 10.0  # s, in which the frequency falls with the amplitude
DRAWN = (GUESS, OBSERVER, FITTED, PRINTED)  # from back to front: printed dashes over what they may cover
LOOKS = {"true": "measured", GUESS: "faint", PRINTED: "printed"}  # of the curves; the others take the next colours
LABELS = {FITTED: f"{FITTED} (covers the true one)"}


def validated(case: Case, scale: Scale, progress: Progress) -> Outcome:
    """R^2 (equation 53) of the motions from the guess, the printed estimate, uas and kalman; their spectra."""
    case = case.at(scale)
    progress(0.1, "the adaptive observer")
    by_observer = estimate_of(observed(case, 0), case)
    progress(0.2, "kalman")
    fitted = estimate_of(identified(case, 0), case)
    progress(0.7, "motions")
    friction = {GUESS: case.guess, PRINTED: case.estimate, OBSERVER: by_observer, FITTED: fitted}
    motions = {name: case.free_motion(values)[:2] for name, values in friction.items()}
    progress(0.8, "bound")
    limit = None if scale.quick else goodness_bound(case, bound_of(case))
    figures = _fits(case, motions, limit) + _frequencies(case, motions)
    panels = [_time_panel(case, motions, joint) for joint in (0, 1)]
    for joint in (0, 1):
        panels += _spectrum_panels(case, motions, joint)
    settings = {**case.settings, **LAW, "best": "kalman, eight parameters free, from the printed guess, F_t at it"}
    return Outcome(tuple(figures), tuple(panels), settings, case.draws)


def _fits(case: Case, motions: Mapping[str, Array], limit: Array | None) -> list[PublishedFigure]:
    fits = {name: goodness_of_fit(motion, case.clean[:2]) for name, motion in motions.items()}
    printed = (round(100 - PROPOSED[case.name].arm, 2), round(100 - PROPOSED[case.name].pendulum, 2))
    rows = []
    for joint, name in enumerate(JOINTS):
        best, bound = 100 - float(fits[FITTED][joint]), None if limit is None else 100 - float(limit[joint])
        rows += [
            PublishedFigure(f"{name}, {label}", "100 - R^2 of the angle", "%", told, 100 - float(fits[source][joint]),
                            best, bound,
                            note if limit is not None else f"{note}; the bound is left out if quick")
            for label, source, told, note in (
                (GUESS, GUESS, "not given", "bound: of friction found from what is fitted, over the whole run"),
                (PRINTED, PRINTED, printed[joint], "the printed parameters in the corrected model"),
                (OBSERVER, OBSERVER, printed[joint], "the point that table 2's bounds lead to on any record"),
            )
        ]  # fmt: skip
    return rows


def _frequencies(case: Case, motions: Mapping[str, Array]) -> list[PublishedFigure]:
    """Where the spectrum of each angle is greatest."""
    begin = case.time < BEGINNING
    rows = []
    for joint, name in enumerate(JOINTS):
        true, best = (_peak(case.time[begin], motion[joint][begin]) for motion in (case.clean, motions[FITTED]))
        note = f"the true motion has {true:.4f} Hz; no bound is stated for a frequency that falls with the amplitude"
        rows += [
            PublishedFigure(f"{name}, {source}", f"greatest line of the first {BEGINNING:g} s", "Hz", "a curve",
                            _peak(case.time[begin], motions[source][joint][begin]), best, None,
                            f"so much friction that it hardly swings; {note}" if source == GUESS else note)
            for source in (GUESS, PRINTED, OBSERVER)
        ]  # fmt: skip
    return rows


def _spectrum(time: Array, values: Array, padded: int = 1) -> tuple[Array, NDArray[np.complex128]]:
    """Amplitudes over Hz of the angle about its mean, through Hann's window."""
    window = np.hanning(len(values))
    lines = np.fft.rfft((values - values.mean()) * window, padded * len(values)) * 2 / window.sum()
    return np.fft.rfftfreq(padded * len(values), time[1] - time[0]), lines


def _peak(time: Array, values: Array) -> float:
    frequency, lines = _spectrum(time, values, PADDED)
    return float(frequency[np.argmax(np.abs(lines))])


def _time_panel(case: Case, motions: Mapping[str, Array], joint: int) -> Panel:
    drawn = tuple(case.time[::EVERY])
    curves = tuple(_curve(name, drawn, motion[joint][::EVERY]) for name, motion in _all(case, motions).items())
    return Panel(JOINTS[joint], "time [s]", f"{OUTPUTS[joint]} [rad]", curves)


def _all(case: Case, motions: Mapping[str, Array]) -> dict[str, Array]:
    """What is drawn, from back to front."""
    return {"true": case.clean, **{name: motions[name] for name in DRAWN}}


def _curve(name: str, x: tuple[float, ...], y: Array) -> Series:
    return Series(LABELS.get(name, name), x, tuple(y), emphasis=LOOKS.get(name, ""))


def _spectrum_panels(case: Case, motions: Mapping[str, Array], joint: int) -> list[Panel]:
    size, phase = [], []
    for name, motion in _all(case, motions).items():
        frequency, lines = _spectrum(case.time, motion[joint])
        shown = (frequency > 0) & (frequency <= HIGHEST)
        drawn = tuple(frequency[shown])
        size.append(_curve(name, drawn, np.abs(lines[shown])))
        phase.append(_curve(name, drawn, np.unwrap(np.angle(lines[shown]))))
    label = f"{JOINTS[joint]}, {OUTPUTS[joint]}"
    return [
        Panel(f"{label}: spectrum", "frequency [Hz]", "amplitude [rad]", tuple(size), y_scale="log"),
        Panel(f"{label}: phase", "frequency [Hz]", "phase, unwrapped [rad]", tuple(phase)),
    ]


APART = 1e-4  # rad between two starts of the pendulum
HALF = 25.0  # s without friction, and once more
WITHOUT = {name: 0.0 for name in TRUE if name.startswith("mu")}


def figures_6_7(scale: Scale, progress: Progress) -> Outcome:
    """The motion with the estimates beside the simulated one, in time and in frequency."""
    outcome = validated(SIMULATION, scale, progress.part(0.0, 0.9))
    progress(0.9, "two starts beside each other")
    return replace(outcome, figures=(*outcome.figures, *parting()))


def parting() -> list[PublishedFigure]:
    """How motions from two starts beside each other part: what the "chaotic" of the paper's title asks about."""
    rubbed = _parted(np.linspace(0, 35, 701), TRUE)
    free = _parted(np.linspace(0, 2 * HALF, 1001), WITHOUT)
    grown = free.max() / free[: len(free) // 2].max()
    none = "no bound: nothing is estimated"
    return [
        PublishedFigure(f"two starts {APART:g} rad apart, true friction",
                        "greatest distance of the motions over that of the starts", "", "chaotic", None,
                        float(rubbed.max()), None, f"at the end, after 35 s, {rubbed[-1]:.1f}; {none}"),
        PublishedFigure(
            "the same without friction",
            f"greatest distance in {2 * HALF:g} s over that in {HALF:g} s",
            "",
            "chaotic",
            None,
            float(grown),
            None,
            f"2 is growth in proportion to time, as of two clocks; chaos would square the factor of {HALF:g} s, "
            f"{free[: len(free) // 2].max():.0f}; {none}",
        ),
    ]  # fmt: skip


def _parted(time: np.ndarray, friction: dict[str, float]) -> np.ndarray:
    """Distance over all four states, in units of that at the start."""
    q0, q1, w0, w1 = START
    one, other = stiff_furuta(time, friction), stiff_furuta(time, friction, (q0, q1 + APART, w0, w1))
    return np.asarray(np.linalg.norm(other - one, axis=0) / APART)


def figures_10_11(scale: Scale, progress: Progress) -> Outcome:
    """The motion with the estimates beside a stand-in for the experiment, in time and in frequency."""
    return validated(EXPERIMENT, scale, progress)
