"""Table 2: the simulation's parameters, found again in its record, and how good the integrator has to be."""

from __future__ import annotations

import numpy as np

from identikit.progress import Progress
from identikit_published._base import PENDULUM_REPORT, Item, Outcome, Scale
from identikit_published.pendulum._envelope_search import by_default_tolerance, exact
from identikit_published.pendulum._pictures import over_time
from identikit_published.pendulum._study import fitted
from identikit_published.pendulum._swing import (
    DAMPINGS,
    FIRST,
    NOISE,
    RELEASED,
    REST,
    SETTINGS,
    SINGLE,
    STIFFNESS,
    noisy,
    peaks,
    swing,
)
from identikit.result import Panel, PublishedFigure


def run(scale: Scale, progress: Progress) -> Outcome:
    seeds = scale.seeds(10, 1)
    progress(0.1, "the settings, found again in the record")
    results = [fitted("viscous", noisy("viscous", seed)) for seed in range(seeds)]
    case = "viscous record"
    figures = []
    k = [result.parameters["k"] for result in results]
    figures.append(
        PublishedFigure(case, "torsional stiffness k", "", 20.0, STIFFNESS, _mean([one.value for one in k]),
                        _mean([one.crlb for one in k]))
    )  # fmt: skip
    for state, label, unit, printed in (
        ("theta", "first angle", "rad", RELEASED),
        ("omega", "first velocity", "rad/s", 0.0),
    ):
        found = [result.initial_states[0][state] for result in results]
        figures.append(
            PublishedFigure(case, label, unit, printed, printed, _mean([one["value"] for one in found]),
                            _mean([one["std"] for one in found]))
        )  # fmt: skip
    sigma = _mean([result.noise["theta"].sigma for result in results])
    spread = NOISE / np.sqrt(2 * len(swing("viscous")[0]))
    figures.append(PublishedFigure(case, "noise", "rad", NOISE, NOISE, sigma, float(spread)))
    for one in SINGLE:
        last = float(peaks(swing(one)[0])[1][-1] - REST)
        for label, amplitude in (("at first", FIRST), ("at the end", last)):
            if label == "at first" and one != "viscous":
                continue
            figures.append(
                PublishedFigure(one, f"noise over amplitude, {label}", "%", 0.2, 0.2, 100 * NOISE / amplitude, None,
                                "printed relative to one radian; no estimate, so no bound")
            )  # fmt: skip
    curves = []
    for place, one in enumerate(SINGLE):
        progress(0.6 + 0.1 * place, f"{one}: integrators")
        off = {way: np.abs(way(DAMPINGS[one]) - swing(one)[0]) for way in (by_default_tolerance, exact)}
        figures.append(
            PublishedFigure(one, "largest error of the simulation", "rad", "not given",
                            float(off[by_default_tolerance].max()), float(off[exact].max()), None,
                            "as printed: RK45 of SciPy at its default tolerance; the noise is 0.002")
        )  # fmt: skip
        curves.append(over_time(f"{one}, RK45 as it comes", np.maximum.accumulate(off[by_default_tolerance])))
    curves.append(over_time("noise", np.full_like(swing("viscous")[0], NOISE), "bound"))
    panel = Panel("Largest error so far of the simulation", "time [s]", "error of the angle [rad]", tuple(curves))
    return Outcome(tuple(figures), (panel,), _REMARKS, SETTINGS, seeds)


def _mean(values: list[float | None]) -> float:
    return float(np.mean([value for value in values if value is not None]))


_REMARKS = (
    "Best here: the settings as a trajectory fit finds them in the noisy record, mean over the draws, told none of "
    "them; bound: standard deviation of one draw.",
    "The text names RK45 and no tolerance; its public source has 1e-10. At SciPy's default, which a reader may take, "
    "the simulation is off by more than the noise, and a model simulated so, fitted to exact data, is biased (see "
    "Table 11). With data from the same integrator the error hides.",
    "Eq. (1) is without dimensions and the table has seconds: they are right for a rig with m g L/I = 1/s^2.",
)

ITEM = Item("pendulum-table-2", PENDULUM_REPORT, "Table 2", "Simulation parameters", run)
