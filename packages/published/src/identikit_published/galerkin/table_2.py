"""Table 2: the three parameters of a tank reactor driven by steps, at 40 dB."""

from __future__ import annotations

import time as clock

import numpy as np

from identikit.progress import Progress
from identikit_published._base import GALERKIN_PAPER, Item, Outcome, Scale
from identikit_published._errors import ErrorTable, root_mean_square
from identikit_published.galerkin import _reactor as reactor
from identikit.result import PublishedFigure

PRINTED_ERRORS = {"tau": 0.19, "kappa": 0.15, "a": 0.60}  # per cent
CASES = {  # title: what 40 dB are relative to, and whether inputs keep their steps
    "40 dB of the variance, inputs splined": ("ac", False),
    "40 dB of the variance, inputs as steps": ("ac", True),
    "40 dB of the mean square, inputs splined": ("raw", False),
}


def run(scale: Scale, progress: Progress) -> Outcome:
    seeds = scale.seeds(20, 3)
    truth = np.array(list(reactor.TRUTH.values()))
    figures, panels = [], []
    for place, (title, (kind, steps_kept)) in enumerate(CASES.items()):
        published, ours = [], []
        for seed in range(seeds):
            progress((place + seed / seeds) / len(CASES), f"{title}: noise draw {seed + 1} of {seeds}")
            states = reactor.noisy(seed, kind)
            begun = clock.perf_counter()
            published.append(100 * (reactor.as_printed(states, steps_kept).last / truth - 1))
            between = clock.perf_counter()
            ours.append(100 * (reactor.best(states) / truth - 1))
            seconds = between - begun, clock.perf_counter() - between
        errors = ErrorTable(
            tuple(reactor.TRUTH),
            [
                f"{title}: {name} = {value:g}, printed {reactor.PRINTED[name]:g}"
                for name, value in reactor.TRUTH.items()
            ],
            list(PRINTED_ERRORS.values()),
            root_mean_square(published, axis=0),
            root_mean_square(ours, axis=0),
            100 * reactor.bounds(kind) / truth,
        )
        figures += errors.figures("%")
        panels.append(errors.panel(title, "parameter", "error [%]", "errors in variables", "log"))
    figures.append(PublishedFigure("one estimate", "computing time", "s", "less than 60", *seconds, None, _TIME))
    return Outcome(tuple(figures), tuple(panels), _NOTES, reactor.SETTINGS, seeds)


_TIME = "Section 4.2, of either testbed; seconds of this computer, which differ from run to run and have no bound"
_NOTES = (
    "What 40 dB are relative to decides: of the variance, the thermometer is good to 0.04 K; of the mean square, to "
    "3.4 K, since 350 K are counted as signal. Errors as printed are possible with the first only.",
    "Equation 10 lays a spline through the inputs, also through their steps. With the steps used here that alone, "
    "without any noise, moves kappa by -2.4 % and a by -4.4 %. The paper's inputs may be kinder; that they were kept "
    "as steps fits its figures better.",
    "The printed start is 0.795 to 0.801 of the truth, not exactly 0.8 of it.",
    "Residuals of C (about 1) and T (about 350) are summed without weights, so T decides alone.",
)

ITEM = Item(
    "galerkin-table-2", GALERKIN_PAPER, "Table 2", "Three parameters of a tank reactor driven by steps, at 40 dB", run
)
