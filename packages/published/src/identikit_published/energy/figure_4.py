"""Figure 4: phase portraits of the magnetic pendulum with the reference and with estimated parameters."""

from __future__ import annotations

import numpy as np

from identikit._fit import fit
from identikit.measurement import Record
from identikit.progress import Progress
from identikit_published._base import ENERGY_PAPER, Item, Outcome, Scale
from identikit_published.energy._fitted import planned
from identikit_published.energy.oscillators import DEGREE, RATE, W0, Array, magnetic, scaled_noise
from identikit_published.energy.printed import TABLE_1
from identikit_published.energy.table_1 import AT_THE_START, MODEL, NOISE, REFERENCE, TIME
from identikit.result import Panel, PublishedFigure, Series

STARTS, QUICK_STARTS = (-1.2, -0.7, 0.7, 1.2), (0.7,)  # rad, at rest; the paper's four are not readable
FINER = np.arange(0, 6, 1 / (3 * RATE))  # s, of what is drawn


def run(scale: Scale, progress: Progress) -> Outcome:
    starts = QUICK_STARTS if scale.quick else STARTS
    figures, panels = [], []
    for place, start in enumerate(starts):
        progress(place / len(starts), f"start at {start} rad")
        true = magnetic(start, TIME)[0]
        measured = true + scaled_noise(len(TIME), DEGREE, place)
        result = fit(Record.from_arrays(TIME, theta=measured), MODEL, method="shooting", free=list(REFERENCE))
        shot = {name: result.value(name) for name in REFERENCE}
        begun = result.initial_states[0]
        again = magnetic(begun["theta"]["value"] or 0.0, TIME, shot, begun["omega"]["value"] or 0.0)
        printed = magnetic(start, TIME, TABLE_1)
        likelihood = planned(MODEL, TIME, NOISE, REFERENCE, [{"theta": start, **AT_THE_START}])
        curve = likelihood.curve(np.array(list(REFERENCE.values())), TIME)
        figures.append(
            PublishedFigure(
                f"start {start} rad",
                "rms distance from the reference motion",
                "rad",
                "alike",
                _rms(printed[0] - true),
                _rms(again[0] - true),
                _rms(curve.std),
                f"as printed: table 1's estimate; best: shooting with w0 free, which comes to w0 = {shot['w0']:.3g} "
                f"instead of {W0:g}",
            )
        )
        panels.append(_panel(start))
    return Outcome(tuple(figures), tuple(panels), _REMARKS, _SETTINGS, len(starts))


def _rms(values: Array) -> float:
    return float(np.sqrt(np.mean(values**2)))


def _panel(start: float) -> Panel:
    portraits = {"reference": magnetic(start, FINER, REFERENCE), "printed estimate": magnetic(start, FINER, TABLE_1)}
    curves = tuple(
        Series(name, tuple(angle), tuple(velocity), emphasis="measured" if name == "reference" else "model")
        for name, (angle, velocity) in portraits.items()
    )
    return Panel(f"released at {start:g} rad", "angle [rad]", "velocity [rad/s]", curves)


_SETTINGS = {
    "starts [rad]": f"{STARTS}, ours",
    "rate [Hz], duration [s]": "300, 10: printed for the experiment; for these simulated records ours",
    "noise": "the largest draw 1 degree",
}
_REMARKS = (
    "A portrait that looks alike says little of the parameters: fits that repeat the motion within the noise come to "
    "values of w0 that are far off, since gravity and magnets stand in for each other.",
    "The paper's four starts cannot be read from its figure: these are ours.",
)

ITEM = Item("energy-figure-4", ENERGY_PAPER, "Figure 4", "Phase portraits with reference and estimated parameters", run)
