"""Table 1: the eleven parameters of four coupled Chua circuits at 30 dB."""

from __future__ import annotations

import numpy as np

from identikit.progress import Progress
from identikit.reproduce._base import GALERKIN_PAPER, Item, Outcome, Scale
from identikit.reproduce._errors import ErrorTable, root_mean_square
from identikit.reproduce.galerkin import _circuits as circuits
from identikit.result import PublishedFigure

PRINTED = {"G_a": -0.7397, "G_b": -0.4101, "C_1": 0.0100, "C_2": 0.1000, "L": 0.01870, "R_0": 0.0190, "R_C": 9.998}
PRINTED |= {"R_1": 1.5590, "R_2": 1.2280, "R_3": 0.9170, "R_4": 3.6287}
PRINTED_ERRORS = {"G_a": 0.04, "G_b": 0.02, "C_1": 0.0, "C_2": 0.0, "L": 0.02, "R_0": 0.0, "R_C": 0.02}  # per cent
PRINTED_ERRORS |= {"R_1": 0.0, "R_2": 0.0, "R_3": 0.0, "R_4": 0.02}
KINDS = {"raw": "30 dB of the mean square", "ac": "30 dB of the variance", "unit": "30 dB of one"}
OVERALL = "overall error"


def run(scale: Scale, progress: Progress) -> Outcome:
    seeds = scale.seeds(10, 1)
    duration = circuits.SHORT_RECORD if scale.quick else circuits.WHOLE_RECORD
    truth = np.array(list(circuits.TRUTH.values()))
    published, ours = [], []
    for seed in range(seeds):
        progress(0.9 * seed / seeds, f"noise draw {seed + 1} of {seeds}")
        record = circuits.noisy(duration, circuits.CIRCUIT_DECIBELS, seed)
        first = circuits.as_printed(*record)
        published.append(first.last)
        ours.append(circuits.best(*record, first))
    progress(0.9, "the bound")
    bounds = circuits.bounds(duration)
    relative = 100 / np.abs(truth)
    errors = ErrorTable(
        tuple(circuits.TRUTH),
        [f"{name} = {value:g}, printed {PRINTED[name]:g}" for name, value in circuits.TRUTH.items()],
        list(PRINTED_ERRORS.values()),
        root_mean_square((np.array(published) - truth) * relative, axis=0),
        root_mean_square((np.array(ours) - truth) * relative, axis=0),
        bounds * relative,
        _NOTES_OF,
    )
    printed = circuits.overall(np.array(list({**PRINTED, "R_1": circuits.TRUTH["R_1"]}.values())))
    whole, best = (float(np.mean([circuits.overall(p) for p in found])) for found in (published, ours))
    bound = circuits.overall_size(bounds)
    figures = [
        *errors.figures("%"),
        PublishedFigure(f"all, {KINDS[circuits.KIND]}", OVERALL, "%", printed, whole, best, bound),
    ]
    for kind in KINDS if not scale.quick else ():
        if kind != circuits.KIND:
            progress(0.95, f"with the signal's power as {KINDS[kind]}")
            figures.append(_by_definition(kind, printed))
    panel = errors.panel("Error of each parameter at 30 dB", "parameter", "error [%]", "errors in variables", "log")
    settings = {"duration [ms]": duration, "signal-to-noise ratio [dB]": circuits.CIRCUIT_DECIBELS, **circuits.SETTINGS}
    return Outcome(tuple(figures), (panel,), _REMARKS, settings, seeds)


def _by_definition(kind: str, printed: float) -> PublishedFigure:
    """The overall error for another thing that "30 dB" may be relative to, from one draw."""
    record = circuits.noisy(circuits.WHOLE_RECORD, circuits.CIRCUIT_DECIBELS, 0, kind)
    first = circuits.as_printed(*record)
    return PublishedFigure(
        f"all, {KINDS[kind]}",
        OVERALL,
        "%",
        printed,
        circuits.overall(first.last),
        circuits.overall(circuits.best(*record, first)),
        circuits.overall_size(circuits.bounds(circuits.WHOLE_RECORD, kind)),
        "one draw",
    )


_NOTES_OF = {
    "L": "0.01870 is 0.107 % off 0.01868, not 0.02 %",
    "R_1": "1.5590 would be 2.5 % off: a misprint of 1.599, since the start is 0.7995 and the error is given as 0.00 %",
    "R_0": "0.0190 to three digits hides up to 0.26 %; the bound is above what is printed",
}
_REMARKS = (
    "The printed errors are not those of the printed method. Its least squares is biased, since the same noise is on "
    "both sides of the equations: the error grows tenfold for 10 dB and does not fall with more data. The printed "
    "0.04 % at 30 dB and 10 % at 20 dB do not lie on one such law.",
    "Four of the eleven printed errors lie below a fifth of the Cramer-Rao bound: they are rounded values, not errors.",
    "Estimating the errors of the samples along with the parameters removes the bias and meets the bound.",
)

ITEM = Item(
    "galerkin-table-1", GALERKIN_PAPER, "Table 1", "Eleven parameters of four coupled Chua circuits at 30 dB", run
)
