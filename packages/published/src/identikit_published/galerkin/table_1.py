"""Table 1: the eleven parameters of four coupled Chua circuits at 30 dB."""

from __future__ import annotations

import time as clock

import numpy as np

from identikit.progress import Progress
from identikit_published._base import GALERKIN_PAPER, Item, Outcome, Scale
from identikit_published._errors import ErrorTable, root_mean_square
from identikit_published.galerkin import _circuits as circuits
from identikit.result import PublishedFigure

PRINTED_ERRORS = {"G_a": 0.04, "G_b": 0.02, "C_1": 0.0, "C_2": 0.0, "L": 0.02, "R_0": 0.0, "R_C": 0.02}  # per cent
PRINTED_ERRORS |= {"R_1": 0.0, "R_2": 0.0, "R_3": 0.0, "R_4": 0.02}
KINDS = {"raw": "30 dB of the mean square", "ac": "30 dB of the variance", "unit": "30 dB of one"}
OVERALL = "overall error"
FAR_BELOW = 0.2  # of the bound: what no estimate reaches but by luck


def run(scale: Scale, progress: Progress) -> Outcome:
    seeds = scale.seeds(10, 1)
    duration = circuits.SHORT_RECORD if scale.quick else circuits.WHOLE_RECORD
    truth = np.array(list(circuits.TRUTH.values()))
    published, ours = [], []
    for seed in range(seeds):
        progress(0.9 * seed / seeds, f"noise draw {seed + 1} of {seeds}")
        record = circuits.noisy(duration, circuits.CIRCUIT_DECIBELS, seed)
        begun = clock.perf_counter()
        first = circuits.as_printed(*record)
        between = clock.perf_counter()
        published.append(first.last)
        ours.append(circuits.best(*record, first))
        seconds = between - begun, clock.perf_counter() - between
    progress(0.9, "the bound")
    bounds = circuits.bounds(duration)
    relative = 100 / np.abs(truth)
    errors = ErrorTable(
        tuple(circuits.TRUTH),
        [f"{name} = {value:g}, printed {circuits.PRINTED[name]:g}" for name, value in circuits.TRUTH.items()],
        list(PRINTED_ERRORS.values()),
        root_mean_square((np.array(published) - truth) * relative, axis=0),
        root_mean_square((np.array(ours) - truth) * relative, axis=0),
        bounds * relative,
        _NOTES_OF,
    )
    printed = f"{circuits.printed_overall():.3g} from its values"
    whole, best = (float(np.mean([circuits.overall(p) for p in found])) for found in (published, ours))
    bound = circuits.overall_size(bounds)
    figures = [
        *errors.figures("%"),
        PublishedFigure(f"all, {KINDS[circuits.KIND]}", OVERALL, "%", printed, whole, best, bound),
        PublishedFigure("one estimate", "computing time", "s", "less than 60", *seconds, None, _TIME),
    ]
    for kind in KINDS if not scale.quick else ():
        if kind != circuits.KIND:
            progress(0.95, f"with the signal's power as {KINDS[kind]}")
            figures.append(_by_definition(kind, printed))
    panel = errors.panel("Error of each parameter at 30 dB", "parameter", "error [%]", "errors in variables", "log")
    settings = {"duration [ms]": duration, "signal-to-noise ratio [dB]": circuits.CIRCUIT_DECIBELS, **circuits.SETTINGS}
    below = sum(told < FAR_BELOW * limit for told, limit in zip(PRINTED_ERRORS.values(), errors.bound, strict=True))
    rounded = (
        f"{below} of the eleven printed errors lie below a fifth of the Cramer-Rao bound: they are rounded values, not "
        "errors."
    )
    return Outcome(tuple(figures), (panel,), (*_REMARKS, rounded), settings, seeds)


def _by_definition(kind: str, printed: str) -> PublishedFigure:
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


_TIME = "Section 4.2, of either testbed; seconds of this computer, which differ from run to run and have no bound"
_NOTES_OF = {
    "L": "0.01870 is 0.107 % off 0.01868, not 0.02 %",
    "R_1": "1.5590 would be 2.5 % off: a misprint of 1.599, since the start is 0.7995 and the error is given as 0.00 %",
    "C_1": "0.0100 to three digits hides up to 0.5 %",
    "C_2": "0.1000 to four digits hides up to 0.05 %",
    "R_0": "0.0190 to three digits hides up to 0.26 %; the bound is above what is printed",
}
_REMARKS = (
    "The printed errors are not those of the printed method. Its least squares is biased, since the same noise is on "
    "both sides of the equations: the error grows tenfold for 10 dB and does not fall with more data. The printed "
    "0.04 % is not reached by it at 30 dB; below 10 % at 20 dB, as the text has it, is.",
    "Estimating the errors of the samples along with the parameters removes the bias and meets the bound.",
)

ITEM = Item(
    "galerkin-table-1", GALERKIN_PAPER, "Table 1", "Eleven parameters of four coupled Chua circuits at 30 dB", run
)
