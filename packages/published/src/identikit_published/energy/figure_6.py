"""Figure 6: where a release of the magnetic pendulum ends, and the wells of its potential."""

from __future__ import annotations

import numpy as np

from identikit.explore import Basins, basins, potential_wells
from identikit.model import library_model
from identikit.progress import Progress
from identikit_published._base import ENERGY_PAPER, Item, Outcome, Scale
from identikit_published.energy.oscillators import magnetic
from identikit_published.energy.printed import EXPERIMENT_1
from identikit.result import Panel, PublishedFigure, Series

RANGE = (-1.2, 1.2)  # rad; the paper's axis is not given in its text
STARTS, QUICK_STARTS = 2001, 401  # starting angles; and if quick
CHECKED, QUICK_CHECKED = 25, 7  # releases that are integrated once more, by SciPy
SETTLED = np.array([0.0, 12.0])  # s: by then a swing has long stayed in one well
MASS, GRAVITY = 0.035, 9.81  # kg, m/s^2
INERTIA = MASS * (GRAVITY / EXPERIMENT_1["w0"] ** 2) ** 2  # kg m^2, with L = g/w0^2


def run(scale: Scale, progress: Progress) -> Outcome:
    model = library_model("magnetic_pendulum")
    progress(0.1, "wells")
    wells = potential_wells(model, EXPERIMENT_1, between=RANGE)
    literal = EXPERIMENT_1 | {name: EXPERIMENT_1[name] / INERTIA for name in ("a1", "a2", "a3")}
    as_printed = potential_wells(model, literal, between=RANGE)
    progress(0.3, "basins")
    found = basins(model, EXPERIMENT_1, between=RANGE, starts=QUICK_STARTS if scale.quick else STARTS)
    progress(0.7, "releases by another integrator")
    checked = np.linspace(*RANGE, QUICK_CHECKED if scale.quick else CHECKED) + 0.013  # off the grid, off symmetry
    checked = checked[np.abs(checked) < RANGE[1]]
    same = sum(_ends(found, start) == _settled(found, start) for start in checked)
    figures = []
    for well, other in zip(wells.wells, as_printed.wells, strict=True):
        name = f"well at {well.position:.3f} rad"
        figures += [
            PublishedFigure(name, "position", "rad", "a curve", other.position, well.position, None, _NO_BOUND),
            PublishedFigure(
                name, "frequency of small swings", "rad/s", "not given", other.frequency, well.frequency, None, _LITERAL
            ),
            PublishedFigure(name, "depth", "rad^2/s^2", "a curve", other.depth, well.depth, None, _LITERAL),
        ]
    right = len(found.attractors) - 1
    figures += [
        PublishedFigure(
            "basins",
            "boundaries",
            "",
            "a strip",
            None,
            float(len(found.boundaries)),
            None,
            f"within {RANGE} rad; no bound",
        ),
        PublishedFigure(
            "basins",
            "share of releases that end on the right",
            "",
            "a strip",
            None,
            found.share(right),
            None,
            _NO_BOUND,
        ),
        PublishedFigure(
            "basins",
            f"of {len(checked)} releases by SciPy, ending where the strip says",
            "",
            None,
            None,
            float(same),
            None,
            _NO_BOUND,
        ),
    ]
    ends = [rest.state["theta"] for rest in found.attractors]
    strip = tuple(ends[i] if i >= 0 else float("nan") for i in found.attractor)
    shown = wells.energy <= 3 * max(height for _, height in wells.hills)
    panels = (
        Panel(
            "(a) where a release from rest ends",
            "angle of release [rad]",
            "angle of rest [rad]",
            (Series("", tuple(found.start), strip, "steps"),),
        ),
        Panel(
            "(b) potential over the inertia",
            "angle [rad]",
            "energy [rad^2/s^2]",
            (Series("", tuple(wells.position[shown]), tuple(wells.energy[shown])),),
        ),
    )
    settings = {"parameters": "experiment, table 1", "range [rad]": f"{RANGE}, ours"}
    return Outcome(tuple(figures), panels, _REMARKS, settings)


def _ends(found: Basins, start: float) -> int:
    """What the strip says of a release between two of its starts."""
    return int(found.attractor[np.argmin(np.abs(found.start - start))])


def _settled(found: Basins, start: float) -> int:
    """Which state of rest is nearest once the swing has died down."""
    angle = magnetic(start, SETTLED, EXPERIMENT_1)[0, -1]
    return int(np.argmin([abs(angle - rest.state["theta"]) for rest in found.attractors]))


_NO_BOUND = "no bound: follows from the parameters, nothing is estimated"
_LITERAL = "as printed: with the table's a_n divided by m L^2, as its units ask; they are divided already. No bound"
_REMARKS = (
    "The parameters are those of table 1's experiment. Close to a well a release stays in it; further out it may cross "
    "the barrier, and bands of both ends alternate, ever narrower: the paper's sensitivity to the start.",
)

ITEM = Item("energy-figure-6", ENERGY_PAPER, "Figure 6", "Basins of attraction and potential wells", run)
