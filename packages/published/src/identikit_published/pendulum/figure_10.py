"""Figure 10: true and estimated dampings as bars."""

from __future__ import annotations

from identikit.progress import Progress
from identikit_published._base import PENDULUM_REPORT, Item, Outcome, Scale
from identikit_published.pendulum._envelope_search import ENVELOPE_SETTINGS, envelope_search
from identikit_published.pendulum._pictures import bars, errors_in_groups, true_and_estimated
from identikit_published.pendulum._printed import ESTIMATES
from identikit_published.pendulum._study import KNOWN_START, by_fits, by_procedure, with_stiffness_known
from identikit_published.pendulum._swing import DAMPINGS, SETTINGS, SINGLE
from identikit.result import PublishedFigure


def run(scale: Scale, progress: Progress) -> Outcome:
    seeds = range(scale.seeds(5, 1))
    figures = []
    search, best, errors, bounds = dict[str, float](), dict[str, float](), list[float](), list[float]()
    for place, case in enumerate(SINGLE):
        progress(place / len(SINGLE), f"{case} damping")
        (name,) = DAMPINGS[case]
        printed = by_procedure(case, seeds, envelope_search)
        ours = by_fits(case, seeds, initial=KNOWN_START, **with_stiffness_known(case))
        search[name], best[name] = float(printed.values[name].mean()), float(ours.values[name].mean())
        errors.append(printed.error(name))
        bounds.append(ours.bound(name))
        figures.append(
            PublishedFigure(case, name, "1/s" if name == "zeta" else "", ESTIMATES["optimization"][name], search[name],
                            best[name], ours.bounds[name])
        )  # fmt: skip
    names = [f"{case}, {next(iter(DAMPINGS[case]))}" for case in SINGLE]
    panels = (
        true_and_estimated("true and estimated", SINGLE, {"as printed, here": search, "ours": best}),
        errors_in_groups("the same, by their errors", names,
                         (bars("as printed, here", errors), bars("bound", bounds, "bound"))),
    )  # fmt: skip
    return Outcome(tuple(figures), panels, _REMARKS, {**SETTINGS, **ENVELOPE_SETTINGS}, len(seeds))


_REMARKS = (
    "Values are means over the noise draws. As printed: Algorithm 1; best here: the trajectory fit. Both know k and "
    "the first state; the bound is the standard deviation of one draw. Bars from zero cannot show errors of "
    "hundredths of a per cent: the second panel does.",
)

ITEM = Item("pendulum-figure-10", PENDULUM_REPORT, "Figure 10", "True and estimated dampings", run)
