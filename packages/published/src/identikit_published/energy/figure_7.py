"""Figure 7: phase portraits of the chaotic Duffing oscillator with the reference and with estimated parameters."""

from __future__ import annotations

import numpy as np

from identikit.explore import lyapunov_exponent
from identikit.model import library_model
from identikit.progress import Progress
from identikit_published._base import ENERGY_PAPER, Item, Outcome, Scale
from identikit_published.energy._chaos import KNOWN, SHORT, estimated
from identikit_published.energy.oscillators import DUFFING, PERIOD, START, Array, duffing
from identikit_published.energy.printed import TABLE_2
from identikit.result import Panel, PublishedFigure, Series

PERIODS, QUICK_PERIODS = 100, 25  # of the forcing; and if quick
TRANSIENT = 20  # periods left out
PER_PERIOD = 100  # points that are drawn
BLOCKS = 10  # of the run, whose scatter gives the standard error of a mean


def run(scale: Scale, progress: Progress) -> Outcome:
    periods = QUICK_PERIODS if scale.quick else PERIODS
    progress(0.1, "an estimate of ours")
    sets = {"reference": DUFFING, "printed estimate": TABLE_2, "shooting": estimated(0)}
    samples = (TRANSIENT + periods) * PER_PERIOD
    time = np.linspace(0, (TRANSIENT + periods) * PERIOD, samples, endpoint=False)
    progress(0.4, "motions")
    motions = {name: duffing(time, values)[:, TRANSIENT * PER_PERIOD :] for name, values in sets.items()}
    figures = [
        _statistic(f"root mean square of {label}", unit, [motion[row] ** 2 for motion in motions.values()])
        for row, label, unit in ((0, "the displacement", "m"), (1, "the velocity", "m/s"))
    ]
    progress(0.7, "exponents")
    model = library_model("duffing")
    exponents = [lyapunov_exponent(model, {**values, **KNOWN}) for values in sets.values()]
    figures.append(
        PublishedFigure(
            "largest Lyapunov exponent",
            f"reference {exponents[0].value:.3f}",
            "1/s",
            "chaotic",
            exponents[1].value,
            exponents[2].value,
            None,
            f"standard errors {', '.join(f'{one.std:.3f}' for one in exponents)}; no bound: a statistic of a motion",
        )
    )
    panels = tuple(
        Panel(
            f"{'(a)' if name == 'reference' else '(b)'} {name}",
            "displacement [m]",
            "velocity [m/s]",
            (Series("", tuple(motions[name][0]), tuple(motions[name][1])),),
        )
        for name in ("reference", "printed estimate")
    )
    settings = {
        "F [N], Omega [rad/s]": f"{KNOWN['F']:g}, {KNOWN['Omega']:g}",
        "periods": periods,
        "start": f"{START}, ours; the first {TRANSIENT} periods are left out",
        "best": f"shooting on {SHORT} periods, noise of at most 1 %",
    }
    return Outcome(tuple(figures), panels, _REMARKS, settings, 1)


def _statistic(name: str, unit: str, squares: list[Array]) -> PublishedFigure:
    """Root mean squares with their standard errors from parts of the run."""
    values = [float(np.sqrt(np.mean(one))) for one in squares]
    errors = []
    for value, one in zip(values, squares, strict=True):
        means = one[: len(one) // BLOCKS * BLOCKS].reshape(BLOCKS, -1).mean(axis=1)
        errors.append(float(np.std(means) / np.sqrt(BLOCKS - 1)) / (2 * value))
    return PublishedFigure(
        name,
        f"reference {values[0]:.3f}",
        unit,
        "similar",
        values[1],
        values[2],
        None,
        f"standard errors {', '.join(f'{error:.3f}' for error in errors)}; no bound: a statistic of a chaotic motion",
    )


_REMARKS = (
    "Neighbouring motions part by a factor of two every five seconds, so only statistics can be compared.",
    "Portraits of motions with different exponents look alike: the sections of figure 8 tell more.",
)

ITEM = Item("energy-figure-7", ENERGY_PAPER, "Figure 7", "Phase portraits of the chaotic Duffing oscillator", run)
