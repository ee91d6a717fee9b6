"""What the tools found, as short tables in plain text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from identikit.explore._resting_places import ESCAPED
from identikit.explore._settling import UNDECIDED
from identikit.explore._subject import Subject
from identikit.result import align

if TYPE_CHECKING:
    from identikit.explore._basins import Basins
    from identikit.explore._energy import EnergyBalance
    from identikit.explore._equilibria import Equilibrium
    from identikit.explore._lyapunov import LyapunovExponent
    from identikit.explore._poincare import PoincareSection
    from identikit.explore._portrait import PhasePortrait
    from identikit.explore._wells import PotentialWells

MOST_ROWS = 20  # of a printed table
MOST_STATES_SHOWN = 6  # of a state of rest, in one line
MOST_PLACES = 32  # of a section that repeats
DISTINCT = 1e-3  # of the section's size: closer points count as one
SURE = 3.0  # standard deviations
GROWN, SHRUNK = 20.0, 5.0  # e-foldings over the run; a distance that grows in proportion to time makes up to ten


def letter(index: int) -> str:
    """A, B, C ... for attractors; words for motions without one."""
    if index < 0:
        return {UNDECIDED: "undecided", ESCAPED: "leaves"}[index]
    return chr(ord("A") + index) if index < 26 else f"A{index}"


def energy_unit(subject: Subject, name: str) -> str:
    """The unit of v^2, with v = d name/dt: that of an energy per unit of inertia."""
    unit = next(state.unit for state in subject.states if state.name == name)
    return "/".join(f"{part}^2" if part else "1" for part in (unit, subject.time_unit) if part or not unit)


def kind_of(rest: Equilibrium) -> str:
    """A state of rest in one or two words."""
    turning = bool(np.abs(rest.eigenvalues.imag).max() > 1e-9 * np.abs(rest.eigenvalues).max(initial=1e-300))
    if not rest.isolated:
        return "one of a line" if rest.stable else "unstable, one of a line"
    if rest.stable and not rest.attracting:
        return "stable, a centre"
    if rest.stable:
        return "stable, a focus" if turning else "stable, a node"
    return "unstable" if bool(np.all(rest.eigenvalues.real > 0)) else "unstable, a saddle"


def rests_text(subject: Subject, rests: Sequence[Equilibrium]) -> str:
    """States of rest with their stability and the eigenvalue that decides on it."""
    if not rests:
        return "No state of rest was found."
    names = [state.name for state in subject.states][:MOST_STATES_SHOWN]
    rows = []
    for rest in rests[:MOST_ROWS]:
        slowest = rest.eigenvalues[np.argmax(rest.eigenvalues.real)]
        turning = f" +- {abs(slowest.imag):.4g}i" if slowest.imag else ""
        rows.append(
            (*(f"{_clean(rest.state[name]):.6g}" for name in names), kind_of(rest), f"{slowest.real:.4g}{turning}")
        )
    per = f" [1/{subject.time_unit}]" if subject.time_unit else ""
    headers = (*(subject.labelled(name) for name in names), "state of rest", f"slowest eigenvalue{per}")
    return "\n".join([align(headers, rows), *_more(len(rests) - MOST_ROWS), *_hidden(subject)])


def wells_text(found: PotentialWells) -> str:
    """Wells with depth and frequency, and the hills between them."""
    unit = energy_unit(found.subject, found.name)
    rate = f" [rad/{found.subject.time_unit}]" if found.subject.time_unit else ""
    rows = [
        (
            well.position,
            "well",
            f"{_clean(well.energy, found.energy):.5g}",
            "no hill" if well.depth is None else f"{well.depth:.5g}",
            f"{well.frequency:.5g}",
        )
        for well in found.wells
    ]
    rows += [(place, "hill", f"{energy:.5g}", "", "") for place, energy in found.hills]
    lines = [(f"{_clean(row[0], found.position):.6g}", *row[1:]) for row in sorted(rows)]
    headers = (found.subject.labelled(found.name), "", f"energy [{unit}]", "depth", f"small swings{rate}")
    return align(headers, lines[:MOST_ROWS])


def basins_text(found: Basins) -> str:
    """Attractors with their share of the starts, then the starts at which the end changes."""
    names = [state.name for state in found.subject.states][:MOST_STATES_SHOWN]
    rows = [
        (letter(i), *(f"{_clean(rest.state[name]):.6g}" for name in names), f"{100 * found.share(i):.1f} %")
        for i, rest in enumerate(found.attractors)
    ]
    parts = [align(("end", *(found.subject.labelled(name) for name in names), "of all starts"), rows)]
    parts += _hidden(found.subject)
    if found.boundaries:
        lines = [
            (_to_within(_clean(item.start, found.start), item.within), f"{letter(item.left)} to {letter(item.right)}")
            for item in found.boundaries[:MOST_ROWS]
        ]
        parts += ["", align((f"boundary, {found.subject.labelled(found.name)}", "ends in"), lines)]
        parts += _more(len(found.boundaries) - MOST_ROWS)
    elif len(found.attractors) == 1 and found.share(0) == 1:
        parts.append("Every start ends there.")
    left = {UNDECIDED: f"undecided: in none of these after {found.duration:.4g} {found.subject.time_unit}".rstrip(),
            ESCAPED: "leave without bound"}  # fmt: skip
    for code, words in left.items():
        count = int(np.sum(found.attractor == code))
        if count:
            parts.append(f"{count} of {len(found.start)} starts {words}.")
    return "\n".join(parts)


def section_text(found: PoincareSection) -> str:
    """Where the section lies, how many points it has, and how many of them differ."""
    time = f" {found.subject.time_unit}".rstrip()
    if found.period is not None:
        where = f"Every {found.period:.6g}{time}"
    else:
        name, level = found.crossing or ("", 0.0)
        where = f"Where {name} rises through {_clean(level, found.states):.5g}"
    count = found.states.shape[1]
    if not count:
        return f"{where}: no point."
    text = f"{where}: {count} points from t = {found.time[0]:.5g} to {found.time[-1]:.5g}{time}"
    if found.settles:
        return f"{text}; the motion comes to rest, and the points run there."
    distinct = distinct_points(found)
    if distinct == 1:
        return f"{text}, all in one place: the motion is periodic."
    if distinct <= MOST_PLACES:
        return f"{text}, in {distinct} places."
    return f"{text}, in {distinct} places: the motion does not repeat."


def distinct_points(found: PoincareSection) -> int:
    """How many points differ by more than a thousandth of the states' size; the state that is fixed does not count."""
    names = [state.name for state in found.subject.states]
    free = [i for i, name in enumerate(names) if found.crossing is None or name != found.crossing[0]]
    rows = found.states[free]
    size = np.maximum(np.abs(rows).max(axis=1, initial=0.0), 1e-300)
    cells = np.floor(rows / size[:, None] / DISTINCT + 0.5)
    kept: list[np.ndarray] = []
    for cell in np.unique(cells, axis=1).T:
        if all(np.abs(cell - other).max() > 1 for other in kept):
            kept.append(cell)
    return len(kept)


def exponent_text(found: LyapunovExponent) -> str:
    """The exponent with its standard error, and what it means."""
    per = f" per {found.subject.time_unit}" if found.subject.time_unit else ""
    folds = found.value * float(found.time[-1])
    sure = abs(found.value) > SURE * found.std
    if sure and folds > GROWN:
        why = "it rests where it is not stable" if found.at_rest else "chaos, if the motion stays within bounds"
        means = f"neighbouring motions part, their distance doubles every {np.log(2) / found.value:.3g} ({why})"
    elif sure and folds < -SHRUNK:
        means = f"neighbouring motions come together, their distance halves every {np.log(2) / -found.value:.3g}"
    else:
        means = "it cannot be told from zero in this run: neighbouring motions stay neighbours, or part slowly"
    return f"Largest Lyapunov exponent {found.value:.4g} +- {found.std:.2g}{per}: {means}."


def energy_text(found: EnergyBalance) -> str:
    """Energies at the beginning and the end, the works in between, and what does not balance."""
    unit = energy_unit(found.subject, found.name)
    floor = found.potential.min()
    size = found.kinetic + np.abs(found.potential)
    rows = [
        ("kinetic", f"{found.kinetic[0]:.5g}", f"{found.kinetic[-1]:.5g}"),
        ("potential", f"{found.potential[0] - floor:.5g}", f"{found.potential[-1] - floor:.5g}"),
        ("work of damping", "", f"{_clean(found.damping[-1], size):.5g}"),
        ("work of driving", "", f"{_clean(found.driving[-1], size):.5g}"),
        ("not accounted for", "", f"{np.abs(found.residual).max():.1e}"),
    ]
    time = found.subject.time_unit
    return align(
        (f"per inertia [{unit}]", f"at {found.time[0]:g} {time}".rstrip(), f"at {found.time[-1]:g} {time}".rstrip()),
        rows,
    )


def portrait_text(found: PhasePortrait) -> str:
    """The states of rest."""
    if not found.rests and not found.complete:
        return f"One motion, {found.names[1]} against {found.names[0]}."
    return rests_text(found.subject, found.rests)


def _clean(value: float, among: np.ndarray | None = None) -> float:
    """Zero instead of rounding errors."""
    size = 1.0 if among is None else float(np.abs(among).max(initial=0.0))
    return 0.0 if abs(value) < 1e-10 * max(size, 1e-300) else float(value)


def _to_within(value: float, within: float) -> str:
    """A number to the digits that are known, eight at most."""
    decimals = int(np.clip(-np.floor(np.log10(max(within, 1e-300))) - 2, 0, 15))
    return f"{round(value, decimals) + 0.0:.8g}"


def _more(count: int) -> list[str]:
    return [f"... and {count} more"] if count > 0 else []


def _hidden(subject: Subject) -> list[str]:
    count = len(subject.states) - MOST_STATES_SHOWN
    return [f"({count} further states are not listed)"] if count > 0 else []
