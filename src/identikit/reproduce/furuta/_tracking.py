"""The adaptive observer following a run, and the way of its parameters: what figures 4, 5, 8 and 9 show."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from identikit.measurement import SmoothingSpline
from identikit.progress import Progress
from identikit.reproduce._base import Outcome
from identikit.reproduce.furuta._case import Case
from identikit.reproduce.furuta._identified import bound_of
from identikit.reproduce.furuta._observer import LAW, OUTSIDE, observed, path_of
from identikit.reproduce.furuta.rig import FREE, JOINTS, OUTPUTS
from identikit.result import Panel, PublishedFigure, Series

NEAR = 0.01  # of its way: a parameter that has so much left has arrived
DRAWN = 4  # of the path's points one is drawn
SHOWN = 4.0  # s of the parameters' way: then they have long arrived


def tracked(case: Case, progress: Progress, threshold: float, notes: tuple[str, ...]) -> Outcome:
    """Velocities by the observer and by a smoothing spline, the gain, and where the parameters go.

    Arguments:
        threshold: of the error norm, below which the paper takes its estimates.
    """
    progress(0.1, "the adaptive observer")
    result = observed(case, 0)
    path, told = path_of(result), result.diagnostics["uas"]
    time = np.array(path["t"])
    progress(0.5, "what any method could know of the velocities")
    bound = bound_of(case)
    figures, panels = [], []
    for joint, name in enumerate(JOINTS):
        truth = case.clean[2 + joint]
        error = np.array(path["states"][OUTPUTS[2 + joint]]) - np.interp(time, case.time, truth)
        spline = _smoothed(case, joint) - truth
        limit = _rms(bound.motion[:, 2 + joint]) if bound.motion.shape[1] == len(OUTPUTS) else None
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
        panels.append(_motion_panel(case, joint, time, np.array(path["states"][OUTPUTS[joint]])))
    norm = np.array(path["error"])
    last = norm[time > 0.5 * time[-1]]
    floor = float(np.sqrt(np.pi / 2) * case.noise) if "w0" in case.outputs else None
    figures += [
        PublishedFigure(
            "error norm",
            "mean of the second half",
            "rad/s",
            f"below {threshold:g}",
            float(np.mean(last)),
            None,
            floor,
            "measured minus followed: noise alone gives sqrt(pi/2) sigma, so the printed threshold is passed in single "
            "samples by chance at most"
            if floor
            else "no bound: velocities are slopes of the measured angles",
        ),
        PublishedFigure(
            "gain k",
            "end over beginning",
            "",
            "grows smaller",
            told["gain"] / float(path["gain"][0]),
            None,
            None,
            "k' = |e|^2 (equation 20): k cannot fall; no bound, it is not an estimate",
        ),
        *_arrival(told, time, path),
    ]
    panels += [
        Panel("error norm", "time [s]", "|e| [rad/s]", (Series("", tuple(time[::DRAWN]), tuple(norm[::DRAWN])),)),
        Panel("gain", "time [s]", "k [1]", (Series("", tuple(time), tuple(path["gain"])),)),
        *(_parameter_panel(case, joint, time, path) for joint in (0, 1)),
    ]
    return Outcome(tuple(figures), tuple(panels), (*notes, OUTSIDE), {**case.settings, **LAW}, case.draws)


def _rms(values: NDArray[np.float64]) -> float:
    return float(np.sqrt(np.mean(values**2)))


def _smoothed(case: Case, joint: int) -> NDArray[np.float64]:
    """The velocity of a joint at all samples, from its own record alone."""
    measured = case.measured(0)
    if len(measured) == len(OUTPUTS):
        return SmoothingSpline(case.time, measured[2 + joint])(case.time)
    return SmoothingSpline(case.time, measured[joint])(case.time, 1)


def _way_left(path: dict[str, object]) -> dict[str, NDArray[np.float64]]:
    """What is left of every parameter's way to the point that bounds and gamma set."""
    values, ends = path["parameters"], path["fixed_point"]
    assert isinstance(values, dict) and isinstance(ends, dict)
    return {
        name: (np.array(values[name]) - ends[name]) / (values[name][0] - ends[name])
        for name in FREE
        if values[name][0] != ends[name]
    }


def _arrival(told: dict[str, object], time: NDArray[np.float64], path: dict[str, object]) -> list[PublishedFigure]:
    way = _way_left(path)
    curves = np.array(list(way.values()))
    arrived = float(time[np.nonzero((np.abs(curves) > NEAR).any(axis=0))[0][-1] + 1])
    apart = float(np.max(np.ptp(curves, axis=0)))
    distance = told["distance"]
    assert isinstance(distance, dict)
    return [
        PublishedFigure(
            "all ten parameters",
            "time until 99 % of the way is gone",
            "s",
            "stabilize",
            arrived,
            None,
            None,
            "no bound: the record decides only how fast they go",
        ),
        PublishedFigure(
            "all ten parameters",
            "greatest distance between their ways, each in units of its length",
            "",
            None,
            apart,
            0.0,
            None,
            "all ten are one curve, exp(-51 integral |e| dt); no bound",
        ),
        PublishedFigure(
            "all ten parameters",
            "greatest distance of an estimate from the fixed point, relative",
            "",
            None,
            float(max(distance.values())),
            0.0,
            None,
            "the fixed point (gamma + lambda_u upper + lambda_l lower)/(lambda_u + lambda_l) holds no datum; no bound",
        ),
    ]


def _motion_panel(case: Case, joint: int, time: NDArray[np.float64], followed: NDArray[np.float64]) -> Panel:
    true = np.interp(time, case.time, case.clean[joint])
    return Panel(
        f"{JOINTS[joint]}: true and as the observer has it",
        "time [s]",
        f"{OUTPUTS[joint]} [rad]",
        (
            Series("true", tuple(time), tuple(true), emphasis="measured"),
            Series("observer", tuple(time), tuple(followed), emphasis="model"),
        ),
    )


def _parameter_panel(case: Case, joint: int, time: NDArray[np.float64], path: dict[str, object]) -> Panel:
    values = path["parameters"]
    assert isinstance(values, dict)
    early = time <= SHOWN
    return Panel(
        f"{JOINTS[joint]}: parameters over their true values",
        "time [s]",
        "estimate / true value [1]",
        tuple(
            Series(name, tuple(time[early]), tuple(np.array(values[name])[early] / case.friction[name]))
            for name in FREE
            if name.endswith(str(joint))
        ),
        y_scale="log",
    )
