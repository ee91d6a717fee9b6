"""Extension 1: several dampings estimated at once, where only one acts."""

from __future__ import annotations

from identikit.progress import Progress
from identikit_published._base import PENDULUM_REPORT, Item, Outcome, Scale
from identikit_published.pendulum._pictures import bars, errors_in_groups
from identikit_published.pendulum._study import by_fits, error_rows
from identikit_published.pendulum._swing import DAMPINGS, SETTINGS, SINGLE, STIFFNESS
from identikit_published.pendulum._ways import LAW_UNKNOWN
from identikit.result import PublishedFigure


def run(scale: Scale, progress: Progress) -> Outcome:
    seeds = range(scale.seeds(10, 1))
    figures: list[PublishedFigure] = []
    alone, together, bounds = [], [], []
    cases = scale.some(SINGLE)
    for place, case in enumerate(cases):
        (name,) = DAMPINGS[case]
        progress(place / len(cases), f"{case} damping")
        few = seeds[: scale.seeds(3, 1)]
        envelopes = by_fits(case, few, "envelope", options={"scale": "log"}, fix={"k": STIFFNESS})
        best = by_fits(case, seeds, **LAW_UNKNOWN)
        single = by_fits(case, seeds)
        dearer = {name: f"the bound is {best.bound(name) / single.bound(name):.0f} times that of the damping alone"}
        label = f"{case}, three dampings free"
        figures += error_rows(case, {name: "not given"}, envelopes, best, dearer, label)
        figures.append(
            PublishedFigure(f"{case}, its damping alone", f"error of {name}", "%", "not given", None,
                            single.error(name), single.bound(name))
        )  # fmt: skip
        alone.append(single.error(name))
        together.append(best.error(name))
        bounds.append(best.bound(name))
    ticks = [f"{case}, {next(iter(DAMPINGS[case]))}" for case in cases]
    shown = (
        bars("its damping alone", alone),
        bars("three dampings free", together),
        bars("bound, three free", bounds, "bound"),
    )
    panels = (errors_in_groups("What it costs not to know the law", ticks, shown),)
    return Outcome(tuple(figures), panels, _REMARKS, SETTINGS, len(seeds))


_REMARKS = (
    "Proposed in Section 9.3, not done there. As printed: the report's optimization taken to three dampings, log "
    "envelopes and gradients (method envelope, k known), on 3 draws. Best here: shooting with k and the first state "
    "unknown.",
    "The decays by the three dampings are alike in shape, so that what is free and does not act costs much. None of "
    "them can be negative, which an estimate knows and the bound does not: errors may be below it.",
)

ITEM = Item("pendulum-extension-1", PENDULUM_REPORT, "Extension 1", "Several dampings at once", run)
