"""The free motion with every set of friction parameters beside the true one, in time and in frequency."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from identikit.progress import Progress
from identikit.reproduce._base import Outcome, Scale
from identikit.reproduce.furuta._case import Case
from identikit.reproduce.furuta._identified import bound_of, estimate_of, goodness_bound, identified
from identikit.reproduce.furuta._observer import LAW, observed
from identikit.reproduce.furuta.performance import goodness_of_fit
from identikit.reproduce.furuta.printed import PROPOSED
from identikit.reproduce.furuta.rig import JOINTS, OUTPUTS
from identikit.result import Panel, PublishedFigure, Series

GUESS, PRINTED, OBSERVER, FITTED = "initial guess", "printed estimate", "uas, done again", "kalman"
EVERY = 20  # samples: what is drawn
HIGHEST = 3.0  # Hz of the spectra that are drawn
PADDED = 64  # times the record's length, so that a spectrum's peak is found between its lines
BEGINNING = 10.0  # s, in which the frequency falls with the amplitude


def validated(case: Case, scale: Scale, progress: Progress, notes: tuple[str, ...]) -> Outcome:
    """R^2 (equation 53) of the motions from the guess, the printed estimate, uas and kalman; their spectra."""
    case = case.at(scale)
    progress(0.1, "the adaptive observer")
    by_observer = estimate_of(observed(case, 0), case)
    progress(0.2, "kalman")
    fitted = estimate_of(identified(case, 0), case)
    progress(0.7, "motions")
    friction = {GUESS: case.guess, PRINTED: case.estimate, OBSERVER: by_observer, FITTED: fitted}
    motions = {name: case.free_motion(values)[:2] for name, values in friction.items()}
    progress(0.9, "bound")
    limit = goodness_bound(case, bound_of(case))
    figures = _fits(case, motions, limit) + _frequencies(case, motions)
    panels = [_time_panel(case, motions, joint) for joint in (0, 1)]
    for joint in (0, 1):
        panels += _spectrum_panels(case, motions, joint)
    settings = {**case.settings, **LAW, "best": "kalman, eight parameters free, from the printed guess, F_t at it"}
    return Outcome(tuple(figures), tuple(panels), notes, settings, case.draws)


def _fits(case: Case, motions: Mapping[str, NDArray[np.float64]], limit: NDArray[np.float64]) -> list[PublishedFigure]:
    fits = {name: goodness_of_fit(motion, case.clean[:2]) for name, motion in motions.items()}
    printed = (round(100 - PROPOSED[case.name].arm, 2), round(100 - PROPOSED[case.name].pendulum, 2))
    rows = []
    for joint, name in enumerate(JOINTS):
        best, bound = 100 - float(fits[FITTED][joint]), 100 - float(limit[joint])
        rows += [
            PublishedFigure(
                f"{name}, {label}",
                "100 - R^2 of the angle",
                "%",
                told,
                100 - float(fits[source][joint]),
                best,
                bound,
                note,
            )
            for label, source, told, note in (
                ("initial guess", GUESS, "not given", "the bound is over what is fitted, R^2 over the whole run"),
                ("printed estimate", PRINTED, printed[joint], "the printed parameters in the corrected model"),
                ("uas, done again", OBSERVER, printed[joint], "the point that table 2's bounds lead to on any record"),
            )
        ]
    return rows


def _frequencies(case: Case, motions: Mapping[str, NDArray[np.float64]]) -> list[PublishedFigure]:
    """Where the spectrum of each angle is greatest."""
    begin = case.time < BEGINNING
    rows = []
    for joint, name in enumerate(JOINTS):
        true, printed, best = (
            _peak(case.time[begin], motion[joint][begin]) for motion in (case.clean, motions[OBSERVER], motions[FITTED])
        )
        note = f"the true motion has {true:.4f} Hz; no bound is stated for a frequency that falls with the amplitude"
        rows.append(
            PublishedFigure(
                name, f"greatest line of the first {BEGINNING:g} s", "Hz", "not given", printed, best, None, note
            )
        )
    return rows


def _spectrum(
    time: NDArray[np.float64], values: NDArray[np.float64], padded: int = 1
) -> tuple[NDArray[np.float64], NDArray[np.complex128]]:
    """Amplitudes over Hz of the angle about its mean, through Hann's window."""
    window = np.hanning(len(values))
    lines = np.fft.rfft((values - values.mean()) * window, padded * len(values)) * 2 / window.sum()
    return np.fft.rfftfreq(padded * len(values), time[1] - time[0]), lines


def _peak(time: NDArray[np.float64], values: NDArray[np.float64]) -> float:
    frequency, lines = _spectrum(time, values, PADDED)
    return float(frequency[np.argmax(np.abs(lines))])


def _time_panel(case: Case, motions: Mapping[str, NDArray[np.float64]], joint: int) -> Panel:
    drawn = tuple(case.time[::EVERY])
    curves = [Series("true", drawn, tuple(case.clean[joint][::EVERY]), emphasis="measured")]
    curves.append(Series(GUESS, drawn, tuple(motions[GUESS][joint][::EVERY]), emphasis="faint"))
    curves += [Series(name, drawn, tuple(motions[name][joint][::EVERY])) for name in (OBSERVER, FITTED)]
    return Panel(JOINTS[joint], "time [s]", f"{OUTPUTS[joint]} [rad]", tuple(curves))


def _spectrum_panels(case: Case, motions: Mapping[str, NDArray[np.float64]], joint: int) -> list[Panel]:
    size, phase = [], []
    for name, motion in {"true": case.clean, **motions}.items():
        if name in (GUESS, PRINTED):
            continue
        frequency, lines = _spectrum(case.time, motion[joint])
        shown = (frequency > 0) & (frequency <= HIGHEST)
        emphasis = "measured" if name == "true" else ""
        drawn = tuple(frequency[shown])
        size.append(Series(name, drawn, tuple(np.abs(lines[shown])), emphasis=emphasis))
        phase.append(Series(name, drawn, tuple(np.unwrap(np.angle(lines[shown]))), emphasis=emphasis))
    label = f"{JOINTS[joint]}, {OUTPUTS[joint]}"
    return [
        Panel(f"{label}: spectrum", "frequency [Hz]", "amplitude [rad]", tuple(size), y_scale="log"),
        Panel(f"{label}: phase", "frequency [Hz]", "phase, unwrapped [rad]", tuple(phase)),
    ]
