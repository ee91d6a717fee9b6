"""Table 11: optimisation by envelopes, as printed, beside the best that the same knowledge allows."""

from __future__ import annotations

from identikit.progress import Progress
from identikit.reproduce._base import PENDULUM_REPORT, Item, Outcome, Scale
from identikit.reproduce.pendulum._envelope_search import (
    ENVELOPE_SETTINGS,
    envelope_search,
    envelope_search_by_default,
)
from identikit.reproduce.pendulum._hybrid import hybrid_panel
from identikit.reproduce.pendulum._printed import ESTIMATES, OPTIMIZATION
from identikit.reproduce.pendulum._study import KNOWN_START, by_fits, by_procedure, error_rows, with_stiffness_known
from identikit.reproduce.pendulum._swing import DAMPINGS, SETTINGS, SINGLE
from identikit.result import PublishedFigure


def run(scale: Scale, progress: Progress) -> Outcome:
    seeds = range(scale.seeds(10, 1))
    figures: list[PublishedFigure] = []
    shown = []
    for place, case in enumerate(SINGLE):
        progress(place / len(SINGLE), f"{case} damping")
        (name,) = DAMPINGS[case]
        search = by_procedure(case, seeds, envelope_search)
        best = by_fits(case, seeds, initial=KNOWN_START, **with_stiffness_known(case))
        figures.append(
            PublishedFigure(case, name, "1/s" if name == "zeta" else "", ESTIMATES["optimization"][name],
                            float(search.values[name].mean()), float(best.values[name].mean()), best.bounds[name])
        )  # fmt: skip
        figures += error_rows(case, {name: OPTIMIZATION[case]}, search, best)
        trap = by_procedure(case, [0], envelope_search_by_default)
        figures.append(
            PublishedFigure(f"{case}, RK45 as it comes", f"error of {name}", "%", OPTIMIZATION[case], trap.error(name),
                            None, best.bound(name), "one draw; relative tolerance 1e-3 in the model, exact data")
        )  # fmt: skip
        shown.append((case, search, best))
    panel = hybrid_panel("Error of the envelope search", OPTIMIZATION, shown)
    return Outcome(tuple(figures), (panel,), _REMARKS, {**SETTINGS, **ENVELOPE_SETTINGS}, len(seeds))


_REMARKS = (
    "Errors are roots of mean squares over the noise draws, values means over them. As printed: Algorithm 1 with an "
    "exact integrator; k and the first state are known. Best here: the trajectory fit (shooting) that knows the same, "
    "and the bound for that. The printed errors are of the size that Algorithm 1 gives.",
    "Algorithm 1 takes theta + j theta' for the analytic signal in line 3; the Hilbert transform of the rest of the "
    "text is meant. The minimisation is safe only within bounds in which J has one minimum: from 1e-3 to 1 the search "
    "ends at a mu_c that stops the pendulum at once.",
)

ITEM = Item("pendulum-table-11", PENDULUM_REPORT, "Table 11", "Optimization-based estimates", run)
