"""Tables 3 and 4, Figures 7 to 10: the shaken origami, its motion, its parameters and its force curve."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq, least_squares

from identikit.likelihood import smooth_curves
from identikit.model.library.miura_origami import restoring_force
from identikit.progress import Progress
from identikit.result import Panel, PublishedFigure, Result, Series
from identikit_published._base import Outcome, Scale
from identikit_published._errors import ErrorTable, root_mean_square
from identikit_published.galerkin import origami_record
from identikit_published.galerkin.procedure import Descent, step_panel

Array = NDArray[Any]

SHAPE = ("k_1", "k_2", "theta_A0")  # what the force over the height depends on
HEIGHTS = np.linspace(0.0395, 0.1035, 400)  # m: short of both ends, where the force has no bound
SHAPE_STEP = 1e-5  # of a parameter, for differences
_UPPER_REACH, _LOWER_REACH = 0.0381 * np.cos(np.pi / 3) * np.tan(np.radians(75)), 0.0381 * np.sin(np.pi / 3)  # m


def angle(height: Array) -> Array:
    """theta_A (rad) of a height, in closed form: H = A sin theta_B - B sin theta_A with both cells compatible."""
    return np.arcsin((_UPPER_REACH**2 - _LOWER_REACH**2 - height**2) / (2 * height * _LOWER_REACH))


def force(values: Array, height: Array = HEIGHTS) -> Array:
    """F_H (N) for parameters in the order of TRUTH."""
    shape = dict(zip(origami_record.TRUTH, values.tolist(), strict=True))
    return restoring_force(height, **{name: shape[name] for name in SHAPE})


def rests(values: Array) -> Array:
    """Heights (m) without force, from the lowest on; NaN for what a parameter set does not have."""
    found = force(values)
    changes = np.flatnonzero(np.sign(found[1:]) != np.sign(found[:-1]))
    at = [brentq(lambda h: float(force(values, np.array([h]))[0]), HEIGHTS[k], HEIGHTS[k + 1]) for k in changes]
    return np.array([*at, *[np.nan] * 3][:3])


def deviation(result: Result, of: Callable[[Array], Array]) -> Array:
    """The standard deviation that the covariance of a fit gives to a function of the parameters."""
    assert result.covariance is not None
    names = list(result.covariance["names"])
    places = [names.index(name) for name in origami_record.TRUTH]
    covariance = np.array(result.covariance["matrix"])[np.ix_(places, places)]
    at = origami_record.vector(result)
    columns = []
    for k, value in enumerate(at):
        step = np.zeros_like(at)
        step[k] = SHAPE_STEP * abs(value)
        columns.append((of(at + step) - of(at - step)) / (2 * step[k]))
    slopes = np.stack(columns, axis=-1)
    return np.sqrt(np.einsum("...i,ij,...j->...", slopes, covariance, slopes))


HIGHEST_FREQUENCY = 30.0  # Hz that is drawn
NEAR_A_LINE = 0.3  # Hz


def spectrum(time: Array, values: Array) -> tuple[Array, Array]:
    """Frequencies and amplitudes, through a Hann window, without the mean."""
    window = np.hanning(len(values))
    size = 2 * np.abs(np.fft.rfft(window * (values - values.mean()))) / window.sum()
    return np.fft.rfftfreq(len(values), float(time[1] - time[0])), size


def off_lines(time: Array, values: Array, frequency: float) -> float:
    """The share of power further than NEAR_A_LINE from any multiple of a frequency."""
    frequencies, size = spectrum(time, values)
    multiple = np.maximum(np.round(frequencies / frequency), 1)
    apart = np.abs(frequencies - multiple * frequency) > NEAR_A_LINE
    return float(np.sum(size[apart] ** 2) / np.sum(size**2))


def spectrum_panel(title: str, label: str, curves: Mapping[str, tuple[Array, Array]]) -> Panel:
    """Amplitudes on a logarithmic axis; the first curve is the measured one."""
    series = []
    for place, (name, (frequencies, size)) in enumerate(curves.items()):
        shown = (frequencies > 0) & (frequencies <= HIGHEST_FREQUENCY)
        look = "model" if place else "measured"
        series.append(Series(name, tuple(frequencies[shown]), tuple(size[shown]), emphasis=look))
    return Panel(title, "frequency [Hz]", f"amplitude of {label}", tuple(series), y_scale="log")


ORIGAMI_LEVELS = (40.0, 30.0)  # dB
QUICK_STRETCHES = 4  # of the motion, in a quick run
NEARER = {**origami_record.START, "X_0": 0.042}  # a start from which the printed procedure comes through


def ratio(values: np.ndarray) -> np.ndarray:
    """k_2/k_1 of parameters in the order of Table 4."""
    return np.asarray(values[1] / values[0])


def table_4(scale: Scale, progress: Progress) -> Outcome:
    """Five parameters of the stacked Miura-ori, from a simulated stand-in for the paper's record."""
    seeds, levels = scale.seeds(10, 2), ORIGAMI_LEVELS[:1] if scale.quick else ORIGAMI_LEVELS
    duration = origami_record.STRETCH if scale.quick else origami_record.RECORD_END - origami_record.RECORD_BEGIN
    others = origami_record.stretches()[: QUICK_STRETCHES if scale.quick else None]
    truth = np.array(list(origami_record.TRUTH.values()))
    figures, panels = [], []
    for place, decibels in enumerate(levels):
        published, ours, bounds, ratio_bounds = [], [], [], []
        for seed in range(seeds):
            progress((place + seed / seeds) / len(levels), f"{decibels:g} dB: noise draw {seed + 1} of {seeds}")
            record = origami_record.noisy(seed, decibels, duration)
            published.append(origami_record.as_printed(record, origami_record.TRUTH).last)
            result = origami_record.best(record)
            ours.append(origami_record.vector(result))
            bounds.append([result.parameters[name].crlb for name in origami_record.TRUTH])
            ratio_bounds.append(float(deviation(result, ratio)))
        errors = ErrorTable(tuple(origami_record.TRUTH),
                            [
                                f"{decibels:g} dB: {name} = {value:g} {origami_record.UNITS[name]}"
                                for name, value in origami_record.TRUTH.items()
                            ], ["no truth known"] * len(truth),
                            root_mean_square(100 * (np.array(published) / truth - 1), axis=0),
                            root_mean_square(100 * (np.array(ours) / truth - 1), axis=0),
                            np.mean(100 * np.array(bounds) / np.abs(truth), axis=0))  # fmt: skip
        figures += errors.figures("%")
        ratios = [float(np.mean([ratio(p) for p in found])) for found in (published, ours)]
        figures.append(
            PublishedFigure(f"{decibels:g} dB: stiff over soft creases", "k_2/k_1", "", "more than 110", ratios[0],
                            ratios[1], float(np.mean(ratio_bounds)),
                            f"{ratio(truth):.1f} from the values of Table 4; means over draws")
        )  # fmt: skip
        figures += _shares(decibels, others)
        panels.append(
            errors.panel(
                f"Error of each parameter at {decibels:g} dB", "parameter", "error [%]", "errors in variables", "log"
            )
        )
    settings = {**origami_record.SETTINGS, "duration [s]": duration, "levels [dB]": list(levels)}
    return Outcome(tuple(figures), tuple(panels), settings, seeds)


def _shares(decibels: float, stretches: Sequence[origami_record.Shaken]) -> list[PublishedFigure]:
    """On how many stretches of the motion the truth is reached: from the printed start, and from one nearer by."""
    records = [
        origami_record.noisy(seed, decibels, origami_record.STRETCH, true=true) for seed, true in enumerate(stretches)
    ]

    def share(estimates: Iterable[np.ndarray]) -> float:
        return 100 * float(np.mean([not origami_record.strayed(values) for values in estimates]))

    ours = share(origami_record.vector(origami_record.best(record)) for record in records)
    starts = {"the printed start": origami_record.START, f"there, but X_0 = {NEARER['X_0']:g} m": NEARER}
    what, over = "stretches on which the truth is reached", f"of {len(records)} stretches of 3 s"
    return [
        PublishedFigure(f"{decibels:g} dB: from {case}", what, "%", "one of one",
                        share(origami_record.as_printed(record, start).last for record in records), ours, None, over)
        for case, start in starts.items()
    ]  # fmt: skip


NEARBY = 1e-8  # m between two motions that start side by side
GROWN_APART = 1e-3  # m, when their distance no longer grows freely
WATCHED = 6.0  # s
DRAWN_EVERY = 2  # samples: what is drawn


def figure_7(scale: Scale, progress: Progress) -> Outcome:
    """Base, mass and relative motion of the shaken origami over time, and their spectra."""
    progress(0.0, "the shaken origami")
    true, record = origami_record.clean(), origami_record.noisy(0, base=True)
    signals = {
        "(a) velocity of the base Y'": ("Y' [m/s]", record.base[1], true.base[1]),
        "(b) velocity of the mass X'": ("X' [m/s]", record.mass[1], true.mass[1]),
        "(c) relative displacement X - Y": ("X - Y [mm]", 1000 * record.relative, 1000 * true.relative),
    }
    figures, panels = [], []
    for title, (label, noisy, clean) in signals.items():
        frequencies, size = spectrum(record.time, noisy)
        curve = Series("", tuple(record.time[::DRAWN_EVERY]), tuple(noisy[::DRAWN_EVERY]), emphasis="measured")
        panels += [Panel(title, "time [s]", label, (curve,)),
                   spectrum_panel("its spectrum", label, {"": (frequencies, size)})]  # fmt: skip
        what = title.partition(") ")[2]
        if "base" in what:
            strongest = float(frequencies[int(np.argmax(size))])
            place, speed = true.base[:, :-1]  # 66 whole periods
            exact = float(np.std(speed) / np.std(place) / (2 * np.pi))
            figures.append(PublishedFigure(what, "strongest line", "Hz", 6.6, strongest, exact, None))
        seen, there = (100 * off_lines(record.time, values, origami_record.FREQUENCY) for values in (noisy, clean))
        figures.append(PublishedFigure(what, "power between the lines", "%", "a curve", seen, there, None))
    progress(0.7, "two motions side by side")
    figures.append(_growth())
    heights = 1000 * (true.relative + origami_record.TRUTH["X_0"])
    for name, value in (("lowest", heights.min()), ("highest", heights.max())):
        figures.append(PublishedFigure(f"{name} height", "H", "mm", "not given", None, float(value), None))
    return Outcome(tuple(figures), tuple(panels), origami_record.SETTINGS, 1)


def _growth() -> PublishedFigure:
    """The mean rate at which two motions part that start side by side."""
    time = np.arange(round(WATCHED / origami_record.ORIGAMI_SPACING) + 1) * origami_record.ORIGAMI_SPACING
    x, v = origami_record.clean().mass[:, 0]
    shift = (
        origami_record.RECORD_BEGIN * origami_record.FREQUENCY % 1 / origami_record.FREQUENCY
    )  # the same phase of the base
    one, other = (origami_record.response((x + apart, v), time + shift)[0] for apart in (0.0, NEARBY))
    distance = np.abs(one - other)
    free = np.flatnonzero(np.maximum.accumulate(distance) < GROWN_APART)
    rate = np.polyfit(time[free], np.log(np.maximum(distance[free], 1e-12)), 1)[0]
    return PublishedFigure(
        "X, two motions 1e-8 m apart", "growth of their distance", "1/s", "chaotic", None, float(rate), None
    )


ORIGAMI_STEPS = 19.0  # as printed
RESTS = ("stable, nested-in", "unstable", "stable, bulged-out")
FOLLOWED = 20  # steps of a descent that runs away


def figure_8(scale: Scale, progress: Progress) -> Outcome:
    """Convergence of the origami's parameters, and the force curves that follow from them."""
    progress(0.0, "identifying the origami")
    record = origami_record.noisy(0)
    descent, near = origami_record.as_printed(record), origami_record.as_printed(record, origami_record.TRUTH)
    result = origami_record.best(record)
    truth, best = np.array(list(origami_record.TRUTH.values())), origami_record.vector(result)
    steps = float(result.diagnostics["rounds"])
    off, ours = (float(100 * np.max(np.abs(p / truth - 1))) for p in (descent.last, best))
    bound = max(
        100 * (result.parameters[name].crlb or 0.0) / abs(value) for name, value in origami_record.TRUTH.items()
    )
    where = "from the printed start"
    figures = [
        PublishedFigure(where, "steps", "", ORIGAMI_STEPS, descent.steps, steps, None, _STEPS),
        PublishedFigure(where, "largest error of a parameter", "%", "no truth known", off, ours, bound),
    ]
    heights, doubt = 1000 * rests(truth), 1000 * deviation(result, rests)
    errors = [np.abs(1000 * rests(p) - heights) for p in (near.last, best)]
    figures += [
        PublishedFigure(f"{name}, {heights[k]:.2f} mm", "error of its height", "mm", "a curve", float(errors[0][k]),
                        float(errors[1][k]), float(doubt[k]))
        for k, name in enumerate(RESTS)
    ]  # fmt: skip
    panels = (
        *_convergence(descent, result),
        step_panel("(e) length of the step, as printed", _cut(descent), origami_record.ORIGAMI_CUTOFF),
    )
    return Outcome(tuple(figures), (*panels, *_curves(truth, best)), origami_record.SETTINGS, 1)


def _cut(descent: Descent) -> Descent:
    return Descent(descent.names, descent.path[: FOLLOWED + 1], descent.converged)


def _convergence(descent: Descent, result: Result) -> list[Panel]:
    ours = result.artifacts["iterations"]["parameters"]
    panels = []
    for letter, name in zip("abcd", ("k_1", "k_2", "X_0", "theta_A0"), strict=True):
        own, path = ours[name], _cut(descent).path[:, descent.names.index(name)]
        longest = float(max(len(own), len(path)) - 1)
        series = (Series("as printed", tuple(map(float, range(len(path)))), tuple(path)),
                  Series("best here", tuple(map(float, range(len(own)))), tuple(own), emphasis="model"),
                  Series("truth", (0.0, longest), (origami_record.TRUTH[name],) * 2, emphasis="bound"))  # fmt: skip
        panels.append(Panel(f"({letter}) {name}", "step", f"{name} [{origami_record.UNITS[name]}]", series))
    return panels


def _curves(truth: np.ndarray, best: np.ndarray) -> list[Panel]:
    shown = np.abs(force(truth)) < 6.0
    panels = []
    along = (("(f) force over folding angle", "theta_A [rad]", angle),
             ("(g) force over height", "H [mm]", lambda h: 1000 * h))  # fmt: skip
    for title, label, place in along:
        at, quiet = place(HEIGHTS[shown]), place(rests(truth))
        series = (Series("Table 4", tuple(at), tuple(force(truth)[shown]), emphasis="printed"),
                  Series("identified here", tuple(at), tuple(force(best)[shown]), emphasis="model"),
                  Series("stable", tuple(quiet[[0, 2]]), (0.0, 0.0), "points", emphasis="measured"),
                  Series("unstable", (float(quiet[1]),), (0.0,), "points"))  # fmt: skip
        panels.append(Panel(title, label, "force [N]", series))
    return panels


_STEPS = "nothing random is in the number of steps, so it has no bound; as printed, they lead to a wrong place"

PARTED = 0.005  # m between simulation and record
SECONDS_SHOWN = 2.0  # s of the time histories
FITTED = 0.5  # s that tell the initial state


def figure_9(scale: Scale, progress: Progress) -> Outcome:
    """The identified origami simulated against the record, and the acceleration of its base."""
    progress(0.0, "identifying the origami")
    record, true = origami_record.noisy(0, base=True), origami_record.clean()
    near, result = (origami_record.as_printed(origami_record.noisy(0), origami_record.TRUTH),
                    origami_record.best(origami_record.noisy(0)))  # fmt: skip
    values = {"as printed": near.last, "best here": origami_record.vector(result)}
    motions = {}
    for place, (name, found) in enumerate(values.items()):
        progress(0.3 + 0.3 * place, f"simulating, {name}")
        named = dict(zip(origami_record.TRUTH, found.tolist(), strict=True))
        first = (float(record.mass[0, 0]), float(record.mass[1, 0]))
        begin = _begun(record, first, named) if name == "best here" else first
        motions[name] = origami_record.response(begin, true.time, named)[0] - true.base[0]
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
    early = true.time <= origami_record.RECORD_BEGIN + SECONDS_SHOWN
    at = tuple(true.time[early])
    measured = Series("record", at, tuple(1000 * record.relative[early]), emphasis="measured")
    labelled = {"record": spectrum(true.time, 1000 * record.relative),
                "simulated": spectrum(true.time, 1000 * motions["as printed"])}  # fmt: skip
    panels = [
        Panel(f"(a) simulated {name}, and the record", "time [s]", "X - Y [mm]",
              (measured, Series("simulated", at, tuple(1000 * motion[early]), emphasis="model")))
        for name, motion in motions.items()
    ]  # fmt: skip
    panels += [spectrum_panel("(a) spectra", "X - Y [mm]", labelled), _acceleration_panel(record)]
    return Outcome(
        tuple(figures), tuple(panels), {**origami_record.SETTINGS, "noise of the base": "40 dB on Y and Y'"}, 1
    )


def _begun(record: origami_record.Shaken, first: tuple[float, float], values: dict[str, float]) -> tuple[float, float]:
    """The initial state whose motion fits the first samples best, from the first of them on."""
    count = round(FITTED / origami_record.ORIGAMI_SPACING)
    measured, scale = record.mass[:, :count], np.std(record.mass, axis=1)[:, None]

    def off(begin: np.ndarray) -> np.ndarray:
        motion = origami_record.response((float(begin[0]), float(begin[1])), record.time[:count], values)
        return ((motion - measured) / scale).ravel()

    x, v = least_squares(off, first, x_scale=scale.ravel()).x
    return float(x), float(v)


def _together(motion: np.ndarray) -> float:
    """For how long, s; the whole record if they never part."""
    true = origami_record.clean()
    apart = np.flatnonzero(np.abs(motion - true.relative) > PARTED)
    return float(true.time[apart[0] if len(apart) else -1] - origami_record.RECORD_BEGIN)


def _between(motion: np.ndarray) -> float:
    """Per cent of the power between the lines."""
    return 100 * off_lines(origami_record.clean().time, motion, origami_record.FREQUENCY)


def _difference(record: origami_record.Shaken) -> np.ndarray:
    """Y'' by forward differences of Y', as the paper takes it."""
    return np.diff(record.base[1]) / origami_record.ORIGAMI_SPACING


def _fitted(record: origami_record.Shaken) -> np.ndarray:
    """Y'' of a sine of known frequency through Y'."""
    phase = origami_record.PULSATION * record.time
    columns = np.stack([np.cos(phase), np.sin(phase)], axis=1)
    cosine, sine = np.linalg.lstsq(columns, record.base[1], rcond=None)[0]
    return np.asarray(origami_record.PULSATION * (sine * np.cos(phase) - cosine * np.sin(phase)))


def _acceleration(record: origami_record.Shaken, true: origami_record.Shaken) -> PublishedFigure:
    middle = true.time[:-1] + origami_record.ORIGAMI_SPACING / 2
    between, at_samples = (
        -origami_record.AMPLITUDE * origami_record.PULSATION**2 * np.sin(origami_record.PULSATION * time)
        for time in (middle, true.time)
    )
    noise = float(np.std(record.base[1] - true.base[1]))
    return PublishedFigure(
        "acceleration of the base, 10.6 m/s^2", "rms error", "m/s^2", "a noisy curve",
        float(np.sqrt(np.mean((_difference(record) - between) ** 2))),
        float(np.sqrt(np.mean((_fitted(record) - at_samples) ** 2))),
        float(origami_record.PULSATION * noise * np.sqrt(2 / len(true.time))),
        "as printed by forward differences, best by a sine of the known frequency through the same samples",
    )  # fmt: skip


def _acceleration_panel(record: origami_record.Shaken) -> Panel:
    early = record.time[:-1] <= origami_record.RECORD_BEGIN + SECONDS_SHOWN / 2
    at = tuple(record.time[:-1][early])
    series = (Series("forward differences", at, tuple(_difference(record)[early]), emphasis="measured"),
              Series("sine fitted to Y'", at, tuple(_fitted(record)[:-1][early]), emphasis="model"))  # fmt: skip
    return Panel("(b) acceleration of the base", "time [s]", "Y'' [m/s^2]", series)


_PARTED = "the motion is chaotic: small differences grow tenfold in about 0.4 s, so accuracy buys little time"

DRAWN = 4  # one point in so many
AGREE = "good agreement"


def figure_10(scale: Scale, progress: Progress) -> Outcome:
    """Restoring force from measurements, point by point, against the identified curve."""
    progress(0.0, "identifying the origami")
    record, true = origami_record.noisy(0), origami_record.clean()
    truth, near, result = (np.array(list(origami_record.TRUTH.values())),
                           origami_record.as_printed(record, origami_record.TRUTH),
                           origami_record.best(record))  # fmt: skip
    best = origami_record.vector(result)
    visited = (true.relative.min() + truth[3] <= HEIGHTS) & (true.relative.max() + truth[3] >= HEIGHTS)
    progress(0.5, "restoring force, point by point")
    (height, points), (smooth_height, smooth_points) = (_points(record, best, smoothed) for smoothed in (False, True))
    exact = force(truth, (true.relative + truth[3])[:-1])
    curves = [root_mean_square((force(p) - force(truth))[visited]) for p in (near.last, best)]
    doubt = root_mean_square(deviation(result, force)[visited])
    smooth_error, error, turned = (float(root_mean_square(one - exact)) for one in (smooth_points, points, -points))
    figures = (
        PublishedFigure("points", "rms error", "N", AGREE, error, smooth_error, None, _POINTS),
        PublishedFigure("points with the printed sign", "rms error", "N", AGREE, turned, smooth_error, None, _SIGN),
        PublishedFigure("identified curve over the heights visited", "rms error", "N", AGREE, float(curves[0]),
                        float(curves[1]), float(doubt)),
    )  # fmt: skip
    law = Series("identified curve", tuple(1000 * HEIGHTS[visited]), tuple(force(best)[visited]), emphasis="model")
    clouds = {"Forward differences of X', as printed (sign put right)": (height, points),
              "Smoothed curves": (smooth_height, smooth_points)}  # fmt: skip
    panels = tuple(
        Panel(title, "H [mm]", "force [N]",
              (Series("points", tuple(1000 * x[::DRAWN]), tuple(y[::DRAWN]), "points", emphasis="measured"), law))
        for title, (x, y) in clouds.items()
    )  # fmt: skip
    return Outcome(figures, panels, origami_record.SETTINGS, 1)


def _points(record: origami_record.Shaken, values: np.ndarray, smoothed: bool) -> tuple[np.ndarray, np.ndarray]:
    """Equations 50 and 51 at every sample, with the minus that equation 50 lacks."""
    c, origin = float(values[2]), float(values[3])
    position, velocity = record.mass[:, :-1]
    acceleration = np.diff(record.mass[1]) / origami_record.ORIGAMI_SPACING
    if smoothed:
        curves = smooth_curves(origami_record.posed(record))[0]
        at = record.time[:-1]
        position, velocity, acceleration = curves[0](at), curves[1](at), curves[1](at, 1)
    base, base_velocity = record.base[:, :-1]
    return position - base + origin, -(origami_record.MASS * acceleration + c * (velocity - base_velocity))


_POINTS = "as printed from forward differences, best from smoothed curves; points are no estimates, and have no bound"
_SIGN = "equation 50 lacks a minus: the points would be the curve upside down"
