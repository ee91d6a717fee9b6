"""Figures 4 to 11: the adaptive observer following a run, and what estimates repeat of the motion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from identikit.measurement import SmoothingSpline
from identikit.progress import Progress
from identikit.result import Panel, PublishedFigure, Series
from identikit_published._base import Outcome, Scale
from identikit_published.furuta import runs

Array = NDArray[np.float64]

NEAR = 0.01  # of its way: a parameter that has so much left has arrived
DRAWN = 4  # of the path's points one is drawn
SHOWN = 4.0  # s of the parameters' way: then they have long arrived
EARLY = 1.0  # s at the beginning, with which the feedback's later size is compared


@dataclass(frozen=True)
class Claims:
    """What the paper says of a run in words.

    Arguments:
        threshold: of the error norm, below which it takes its estimates, rad/s.
        gain: how "the UAS gain" goes; it is not said whether k, N(k) or the input u is meant. spikes: the same.
        parameters: how they end.
    """

    threshold: float
    gain: str
    spikes: str | None
    parameters: str


def tracked(case: runs.Case, progress: Progress, claims: Claims) -> Outcome:
    """Angles and velocities by the observer and by a smoothing spline, the gain, and where the parameters go."""
    progress(0.1, "the adaptive observer")
    result = runs.observed(case, 0)
    path, told = runs.path_of(result), result.diagnostics["uas"]
    time = np.array(path["t"])
    progress(0.5, "what any method could know of the velocities")
    bound = runs.bound_of(case)
    figures, panels = [], []
    measured = case.measured(0)
    for joint, name in enumerate(runs.JOINTS):
        angle, velocity = _smoothed(case.time, measured, joint)
        followed = np.array(path["states"][runs.OUTPUTS[joint]])
        figures.append(_angle_row(case, joint, (time, followed), angle, bound.motion[:, joint]))
        truth = case.clean[2 + joint]
        error = np.array(path["states"][runs.OUTPUTS[2 + joint]]) - np.interp(time, case.time, truth)
        spline = velocity - truth
        limit = _rms(bound.motion[:, 2 + joint]) if bound.motion.shape[1] == len(runs.OUTPUTS) else None
        figures.append(
            PublishedFigure(
                name,
                "rms error of the velocity that is followed",
                "rad/s",
                "approaches zero",
                _rms(error),
                _rms(spline),
                limit,
                "best here without parameters: a smoothing spline; the bound is that of one who knows the model"
                if limit
                else "best here without parameters: a spline through the angle; no bound, velocities are not measured",
            )
        )
    for row, output in enumerate(runs.OUTPUTS):
        panels.append(_motion_panel(case, row, time, np.array(path["states"][output])))
    norm = np.array(path["error"])
    last = norm[time > 0.5 * time[-1]]
    floor = float(np.sqrt(np.pi / 2) * case.noise) if "w0" in case.outputs else None
    figures += [
        PublishedFigure(
            "error norm",
            "mean of the second half",
            "rad/s",
            f"below {claims.threshold:g}",
            float(np.mean(last)),
            None,
            floor,
            "measured minus followed: noise alone gives sqrt(pi/2) sigma, so the printed threshold is passed in single "
            "samples by chance at most"
            if floor
            else "no bound: velocities are slopes of the measured angles",
        ),
        *_gain_rows(claims, time, path),
        *_arrival(claims, told, time, path),
    ]
    panels += [
        Panel("error norm", "time [s]", "|e| [rad/s]", (Series("", tuple(time[::DRAWN]), tuple(norm[::DRAWN])),)),
        Panel("gain, if k is meant", "time [s]", "k [1]", (Series("", tuple(time), tuple(path["gain"])),)),
        Panel("gain, if the input is meant", "time [s]", "|N(k) e| [rad/s^2]",
              (Series("", tuple(time[::DRAWN]), tuple(_feedback(path)[::DRAWN])),)),
        *(_parameter_panel(case, joint, time, path) for joint in (0, 1)),
    ]  # fmt: skip
    return Outcome(tuple(figures), tuple(panels), {**case.settings, **runs.LAW}, case.draws)


def _rms(values: Array) -> float:
    return float(np.sqrt(np.mean(values**2)))


def _angle_row(case: runs.Case, joint: int, path: tuple[Array, Array], spline: Array, limit: Array) -> PublishedFigure:
    """How well the angle is followed: equation 53, at the times of the path, which are its first row."""
    truth = case.clean[joint]
    (time, followed), spread = path, np.var(truth)
    return PublishedFigure(runs.JOINTS[joint], "100 - R^2 of the angle that is followed", "%",
                           "approaches and converges",
                           float(100 * np.mean((followed - np.interp(time, case.time, truth)) ** 2) / spread),
                           float(100 * np.mean((spline - truth) ** 2) / spread),
                           float(100 * np.mean(limit**2) / np.var(truth[case.fitted])),
                           "best here without parameters: a smoothing spline; the bound is that of one who knows the "
                           "model, over what is fitted")  # fmt: skip


def _feedback(path: dict[str, Any]) -> Array:
    """|N(k) e|: the input u of equation 22 without the inertia matrix, N being that of alpha = 3, lambda = 1."""
    k = np.array(path["gain"])
    nussbaum = (np.exp(-k) + 2 * np.exp(k / 2) * np.cos(np.sqrt(3) * k / 2)) / 3
    return np.asarray(np.abs(nussbaum) * np.array(path["error"]))


def _gain_rows(claims: Claims, time: Array, path: dict[str, Any]) -> list[PublishedFigure]:
    """The gain as k, and as the input that goes to zero with the error."""
    feedback = _feedback(path)
    later = feedback[time > 0.5 * time[-1]]
    unlike = "no bound, it is not an estimate"
    return [
        PublishedFigure("gain, if k is meant", "end over beginning", "", claims.gain,
                        path["gain"][-1] / path["gain"][0], None, None,
                        f"k' = |e|^2 (equation 20), so k cannot fall; {unlike}"),
        PublishedFigure(
            "gain, if the input |N(k) e| is meant",
            f"mean of the second half over that of the first {EARLY:g} s",
            "",
            claims.gain,
            float(np.mean(later) / np.mean(feedback[time <= EARLY])),
            None,
            None,
            "the input of equation 22 goes the way of the error, as the paper describes its gain, and to zero only "
            f"where there is no noise; {unlike}",
        ),
        PublishedFigure("gain, if the input |N(k) e| is meant", "greatest over mean, second half", "", claims.spikes,
                        float(later.max() / np.mean(later)), None, None,
                        f"at the times that are kept of the path; {unlike}"),
    ]  # fmt: skip


def _smoothed(time: Array, measured: Array, joint: int) -> tuple[Array, Array]:
    """Angle and velocity of a joint at all samples, from its own record alone."""
    angle = SmoothingSpline(time, measured[joint])
    if len(measured) == len(runs.OUTPUTS):
        return angle(time), SmoothingSpline(time, measured[2 + joint])(time)
    return angle(time), angle(time, 1)


def _way_left(path: dict[str, Any]) -> dict[str, Array]:
    """What is left of every parameter's way to the point that bounds and gamma set."""
    values, ends = path["parameters"], path["fixed_point"]
    assert isinstance(values, dict) and isinstance(ends, dict)
    return {
        name: (np.array(values[name]) - ends[name]) / (values[name][0] - ends[name])
        for name in runs.FREE
        if values[name][0] != ends[name]
    }


def _arrival(claims: Claims, told: dict[str, object], time: Array, path: dict[str, Any]) -> list[PublishedFigure]:
    way = _way_left(path)
    curves = np.array(list(way.values()))
    arrived = float(time[np.nonzero((np.abs(curves) > NEAR).any(axis=0))[0][-1] + 1])
    apart = float(np.max(np.ptp(curves, axis=0)))
    distance = told["distance"]
    assert isinstance(distance, dict)
    return [
        PublishedFigure("all ten parameters", "time until 99 % of the way is gone", "s", claims.parameters, arrived,
                        None, None, "no bound: the record decides only how fast they go"),
        PublishedFigure("all ten parameters", "greatest step back on their way, in units of its length", "",
                        claims.parameters, float(max(np.max(np.diff(curves)), 0.0)), None, None,
                        "equation 23 is linear in the parameter with a factor |e| >= 0 before it: they go one way "
                        "and cannot oscillate; no bound, as above"),
        PublishedFigure("all ten parameters", "greatest distance between their ways, each in units of its length", "",
                        None, apart, 0.0, None,
                        "all ten are one curve, exp(-51 integral |e| dt); no bound"),
        PublishedFigure("all ten parameters", "greatest distance of an estimate from the fixed point, relative", "",
                        None, float(max(distance.values())), 0.0, None,
                        "the fixed point (gamma + lambda_u upper + lambda_l lower)/(lambda_u + lambda_l) holds no "
                        "datum; no bound"),
    ]  # fmt: skip


def _motion_panel(case: runs.Case, row: int, time: Array, followed: Array) -> Panel:
    true = np.interp(time, case.time, case.clean[row])
    what, unit = ("angle", "rad") if row < len(runs.JOINTS) else ("velocity", "rad/s")
    return Panel(f"{runs.JOINTS[row % len(runs.JOINTS)]}, {what}: true and as the observer has it", "time [s]",
                 f"{runs.OUTPUTS[row]} [{unit}]",
                 (Series("true", tuple(time), tuple(true), emphasis="measured"),
                  Series("observer", tuple(time), tuple(followed), emphasis="model")))  # fmt: skip


def _parameter_panel(case: runs.Case, joint: int, time: Array, path: dict[str, Any]) -> Panel:
    values = path["parameters"]
    assert isinstance(values, dict)
    early = time <= SHOWN
    return Panel(f"{runs.JOINTS[joint]}: parameters over their true values", "time [s]", "estimate / true value [1]",
                 tuple(
                     Series(name, tuple(time[early]), tuple(np.array(values[name])[early] / case.friction[name]))
                     for name in runs.FREE
                     if name.endswith(str(joint))
                 ), y_scale="log")  # fmt: skip


FIGURES_4_5_CLAIMS = Claims(threshold=0.01, gain="grows smaller", spikes=None, parameters="stabilize")


def figures_4_5(scale: Scale, progress: Progress) -> Outcome:
    """The observer follows the simulated record, and its parameters settle where they must."""
    return tracked(runs.SIMULATION, progress, FIGURES_4_5_CLAIMS)


FIGURES_8_9_CLAIMS = Claims(threshold=0.05, gain="follows the error norm", spikes="intermittent spikes",
                            parameters="settle and oscillate within some final range")  # fmt: skip


def figures_8_9(scale: Scale, progress: Progress) -> Outcome:
    """The observer follows a stand-in for the experiment, and its parameters settle where they must."""
    return tracked(runs.EXPERIMENT, progress, FIGURES_8_9_CLAIMS)


GUESS, PRINTED, OBSERVER, FITTED = "initial guess", "printed estimate", "uas, done again", "kalman"
EVERY = 20  # samples: what is drawn
HIGHEST = 3.0  # Hz of the spectra that are drawn
PADDED = 64  # times the record's length, so that a spectrum's peak is found between its lines
BEGINNING = 10.0  # s, in which the frequency falls with the amplitude
DRAWN_LATER = (GUESS, OBSERVER, FITTED, PRINTED)  # from back to front: printed dashes over what they may cover
LOOKS = {"true": "measured", GUESS: "faint", PRINTED: "printed"}  # of the curves; the others take the next colours
LABELS = {FITTED: f"{FITTED} (covers the true one)"}


def validated(case: runs.Case, scale: Scale, progress: Progress) -> Outcome:
    """R^2 (equation 53) of the motions from the guess, the printed estimate, uas and kalman; their spectra."""
    case = case.at(scale)
    progress(0.1, "the adaptive observer")
    by_observer = runs.estimate_of(runs.observed(case, 0), case)
    progress(0.2, "kalman")
    fitted = runs.estimate_of(runs.identified(case, 0), case)
    progress(0.7, "motions")
    friction = {GUESS: case.guess, PRINTED: case.estimate, OBSERVER: by_observer, FITTED: fitted}
    motions = {name: case.free_motion(values)[:2] for name, values in friction.items()}
    progress(0.8, "bound")
    limit = None if scale.quick else runs.goodness_bound(case, runs.bound_of(case))
    figures = _fits(case, motions, limit) + _frequencies(case, motions)
    panels = [_time_panel(case, motions, joint) for joint in (0, 1)]
    for joint in (0, 1):
        panels += _spectrum_panels(case, motions, joint)
    settings = {**case.settings, **runs.LAW, "best": "kalman, eight parameters free, from the printed guess, F_t at it"}
    return Outcome(tuple(figures), tuple(panels), settings, case.draws)


def _fits(case: runs.Case, motions: Mapping[str, Array], limit: Array | None) -> list[PublishedFigure]:
    fits = {name: runs.goodness_of_fit(motion, case.clean[:2]) for name, motion in motions.items()}
    printed = (round(100 - runs.PROPOSED[case.name].arm, 2), round(100 - runs.PROPOSED[case.name].pendulum, 2))
    rows = []
    for joint, name in enumerate(runs.JOINTS):
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


def _frequencies(case: runs.Case, motions: Mapping[str, Array]) -> list[PublishedFigure]:
    """Where the spectrum of each angle is greatest."""
    begin = case.time < BEGINNING
    rows = []
    for joint, name in enumerate(runs.JOINTS):
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


def _time_panel(case: runs.Case, motions: Mapping[str, Array], joint: int) -> Panel:
    drawn = tuple(case.time[::EVERY])
    curves = tuple(_curve(name, drawn, motion[joint][::EVERY]) for name, motion in _all(case, motions).items())
    return Panel(runs.JOINTS[joint], "time [s]", f"{runs.OUTPUTS[joint]} [rad]", curves)


def _all(case: runs.Case, motions: Mapping[str, Array]) -> dict[str, Array]:
    """What is drawn, from back to front."""
    return {"true": case.clean, **{name: motions[name] for name in DRAWN_LATER}}


def _curve(name: str, x: tuple[float, ...], y: Array) -> Series:
    return Series(LABELS.get(name, name), x, tuple(y), emphasis=LOOKS.get(name, ""))


def _spectrum_panels(case: runs.Case, motions: Mapping[str, Array], joint: int) -> list[Panel]:
    size, phase = [], []
    for name, motion in _all(case, motions).items():
        frequency, lines = _spectrum(case.time, motion[joint])
        shown = (frequency > 0) & (frequency <= HIGHEST)
        drawn = tuple(frequency[shown])
        size.append(_curve(name, drawn, np.abs(lines[shown])))
        phase.append(_curve(name, drawn, np.unwrap(np.angle(lines[shown]))))
    label = f"{runs.JOINTS[joint]}, {runs.OUTPUTS[joint]}"
    return [Panel(f"{label}: spectrum", "frequency [Hz]", "amplitude [rad]", tuple(size), y_scale="log"),
            Panel(f"{label}: phase", "frequency [Hz]", "phase, unwrapped [rad]", tuple(phase))]  # fmt: skip


APART = 1e-4  # rad between two starts of the pendulum
HALF = 25.0  # s without friction, and once more
WITHOUT = {name: 0.0 for name in runs.TRUE if name.startswith("mu")}


def figures_6_7(scale: Scale, progress: Progress) -> Outcome:
    """The motion with the estimates beside the simulated one, in time and in frequency."""
    outcome = validated(runs.SIMULATION, scale, progress.part(0.0, 0.9))
    progress(0.9, "two starts beside each other")
    return replace(outcome, figures=(*outcome.figures, *parting()))


def parting() -> list[PublishedFigure]:
    """How motions from two starts beside each other part: what the "chaotic" of the paper's title asks about."""
    rubbed = _parted(np.linspace(0, 35, 701), runs.TRUE)
    free = _parted(np.linspace(0, 2 * HALF, 1001), WITHOUT)
    grown = free.max() / free[: len(free) // 2].max()
    none = "no bound: nothing is estimated"
    return [PublishedFigure(f"two starts {APART:g} rad apart, true friction",
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
            )]  # fmt: skip


def _parted(time: np.ndarray, friction: dict[str, float]) -> np.ndarray:
    """Distance over all four states, in units of that at the start."""
    q0, q1, w0, w1 = runs.START
    one, other = runs.stiff_furuta(time, friction), runs.stiff_furuta(time, friction, (q0, q1 + APART, w0, w1))
    return np.asarray(np.linalg.norm(other - one, axis=0) / APART)


figures_10_11 = partial(validated, runs.EXPERIMENT)
"""The motion with the estimates beside a stand-in for the experiment, in time and in frequency."""
