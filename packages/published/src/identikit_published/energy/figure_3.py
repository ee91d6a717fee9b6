"""Figure 3: energy balance and averaged solution, error against the angle of release; twelve releases of the rig."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from identikit.progress import Progress
from identikit_published._base import ENERGY_PAPER, Item, Outcome, Scale
from identikit_published.energy._as_printed import Pairs, SmoothedRecord, pendulum_balance
from identikit_published.energy._fitted import bounds_of, fitted, fitted_together, norm_bound, planned, rms_norm
from identikit_published.energy.oscillators import DEGREE, PENDULUM, RATE, Array, pendulum, scaled_noise
from identikit.result import Panel, PublishedFigure, Series

TIME = np.arange(3000) / RATE
ANGLES, QUICK_ANGLES = (5, 10, 20, 40, 60, 80, 100, 120, 150), (10, 60, 120)  # degrees; and if quick
SEEDS, QUICK_SEEDS = 5, 1  # noise draws; and if quick
RIG = {"w0": 11.74, "mu": 0.0012}  # what the paper finds from its experiment
RELEASES, QUICK_RELEASES = 12, 3  # releases of one experiment; and if quick
SMALLEST, LARGEST = 15.0, 90.0  # degrees, of the stand-ins for the experiment
ENERGY, BETTER, AVERAGED, SHOOTING = "energy balance", "method energy", "averaged solution", "shooting"


def run(scale: Scale, progress: Progress) -> Outcome:
    angles = QUICK_ANGLES if scale.quick else ANGLES
    seeds = scale.seeds(SEEDS, QUICK_SEEDS)
    figures: list[PublishedFigure] = []
    norms: dict[str, list[float]] = {ENERGY: [], AVERAGED: [], SHOOTING: [], BETTER: [], "bound": []}
    for place, angle in enumerate(angles):
        progress(0.8 * place / len(angles), f"{angle} degrees")
        found = _norms(angle, seeds)
        for name, norm in found.items():
            norms[name].append(norm)
        figures += [
            PublishedFigure(f"{angle} deg, {name}", "E_p", "", "a curve", found[name], found[SHOOTING], found["bound"])
            for name in (ENERGY, AVERAGED)
        ]
    progress(0.8, "releases of the rig")
    rows, panel = _releases(QUICK_RELEASES if scale.quick else RELEASES)
    return Outcome((*figures, *rows), (_norm_panel(angles, norms), panel), _REMARKS, _SETTINGS, seeds)


def _norms(angle: float, seeds: int) -> dict[str, float]:
    """E_p of every method at one angle, and its bound."""
    clean = pendulum(angle, TIME)[0]
    found: dict[str, list[dict[str, float]]] = {ENERGY: [], BETTER: [], AVERAGED: [], SHOOTING: []}
    for seed in range(seeds):
        measured = clean + scaled_noise(len(TIME), DEGREE, 100 * round(angle) + seed)
        found[ENERGY].append(_balanced(measured, seed))
        for name, method, options in (
            (BETTER, "energy", {}),
            (AVERAGED, "averaging", {"from_rest": "yes"}),
            (SHOOTING, "shooting", {}),
        ):
            found[name].append(fitted("pendulum", TIME, measured, list(PENDULUM), method, options=options))
    spread = np.mean([np.std(scaled_noise(len(TIME), DEGREE, seed)) for seed in range(seeds)])
    start = {"theta": angle * DEGREE, "omega": 0.0}
    likelihood = planned("pendulum", TIME, float(spread), PENDULUM, [start])
    limit = norm_bound(bounds_of(likelihood, PENDULUM), PENDULUM)
    return {name: rms_norm(estimates, PENDULUM) for name, estimates in found.items()} | {"bound": limit}


def _balanced(measured: Array, seed: int) -> dict[str, float]:
    """As printed, from as many random pairs as there are samples."""
    record = SmoothedRecord.of(TIME, measured)
    return pendulum_balance(record, Pairs.random(len(TIME), len(record.x), seed))


def _releases(count: int) -> tuple[list[PublishedFigure], Panel]:
    """Graph (b): averages over releases of a stand-in that has the parameters the paper found."""
    angles = np.linspace(SMALLEST, LARGEST, count)
    records = [
        pendulum(angle, TIME, RIG)[0] + scaled_noise(len(TIME), DEGREE, 100 + place)
        for place, angle in enumerate(angles)
    ]
    balanced = [_balanced(record, place) for place, record in enumerate(records)]
    shot = fitted_together("pendulum", TIME, records, list(RIG))
    starts = [{"theta": angle * DEGREE, "omega": 0.0} for angle in angles]
    noise = float(np.std(scaled_noise(len(TIME), DEGREE, 100)))
    limit = bounds_of(planned("pendulum", TIME, noise, RIG, starts), RIG)
    rows = [
        PublishedFigure(
            f"mean of {count} releases",
            name,
            unit,
            RIG[name],
            float(np.mean([one[name] for one in balanced])),
            shot[name],
            limit[name],
            "the stand-in has the printed value; best here: all releases in one fit; bound: a standard deviation",
        )
        for name, unit in (("w0", "rad/s"), ("mu", ""))
    ]
    last = len(angles) - 1
    mean = {name: float(np.mean([one[name] for one in balanced])) for name in RIG}
    early = TIME <= 5.0
    again = pendulum(angles[last], TIME, mean)[0]
    panel = Panel(
        "(b) a release, and the estimated parameters",
        "time [s]",
        "angle [rad]",
        (
            Series("stand-in", tuple(TIME[early]), tuple(records[last][early]), emphasis="measured"),
            Series("with the estimate", tuple(TIME[early]), tuple(again[early]), emphasis="model"),
        ),
    )
    return rows, panel


def _norm_panel(angles: Sequence[float], norms: dict[str, list[float]]) -> Panel:
    curves = tuple(
        Series(name, tuple(map(float, angles)), tuple(values), emphasis="bound" if name == "bound" else "")
        for name, values in norms.items()
    )
    return Panel("(a) error norm", "angle of release [degrees]", "E_p [1]", curves, y_scale="log")


_SETTINGS = {
    "w0 [rad/s], mu": "11.8, 0.005; of the releases 11.74, 0.0012",
    "angles of (a) [deg]": "5 to 150, ours: the paper's axis is not given in its text",
    "rate [Hz], duration [s]": "300, 10: printed for the experiment; for graph (a) ours",
    "angles of (b) [deg]": "15 to 90, ours: the paper says various",
    "noise": "normal, the largest draw 1 degree",
    "energy balance": "cubic smoothing splines by cross-validation, 3000 random pairs, plain least squares",
    "averaged solution": "equation 12, released from rest",
}
_REMARKS = (
    "E_p is the root mean square over the noise of equation 17. Confirmed: the averaged solution is good at small "
    "angles and fails at large ones, where the energy balance does not.",
    "The bound is that of an unknown initial state. The averaged solution is told that the release is from rest, which "
    "it was: that is how it falls below the bound at 5 and 10 degrees.",
    "Neither is near the bound at large angles. The balance does not see the phase, which tells a frequency best.",
    "The records of graph (b) are not public. The stand-ins have the parameters that the paper found; their noise is "
    "that of its simulation, and the 20 Hz filter is left out.",
)

ITEM = Item(
    "energy-figure-3", ENERGY_PAPER, "Figure 3", "Error against the angle of release, energy and averaging", run
)
