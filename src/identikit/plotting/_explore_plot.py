"""Pictures of what the tools of `identikit.explore` find in a model.

Each takes what its tool returned and, optionally, a file to write (.png, .pdf or .svg, whole or not at all); each
returns the figure.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from identikit.explore import (
    ESCAPED,
    MOST_PLACES,
    UNDECIDED,
    Basins,
    EnergyBalance,
    Finding,
    LyapunovExponent,
    PhasePortrait,
    PoincareSection,
    PotentialWells,
    distinct_points,
    energy_unit,
    letter,
)
from identikit.plotting._style import BAND, DATA, FAINT, INK, MODEL, RESIDUAL, drawn_block, with_unit

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Distinct for colour-blind readers too, light enough for ink on top.
ATTRACTORS = ("#9db8d2", "#f0b48a", "#a8cfa0", "#d3b0d8", "#e6d58a", "#94cfc9", "#e3a3a3", "#b9b9c9")
CURVE = "#2f5d8a"
HEADROOM = 2.2  # a potential is drawn up to so many times its highest hill
MOST_PLACES_NAMED = 8  # wells and hills that are named in the picture
FEW = 60  # points of a section up to which they are numbered by colour


def plot_finding(finding: Finding, path: str | Path | None = None) -> Figure:
    """Draw whatever `identikit.explore.examine` found."""
    return PLOTS[type(finding)](finding, path)


def plot_wells(wells: PotentialWells, path: str | Path | None = None) -> Figure:
    """The potential with its wells (depth, frequency of small swings) and hills."""

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        _draw_potential(axes, wells)
        unit = energy_unit(wells.subject, wells.name)
        axes.set_ylabel(f"potential per inertia [{unit}]")
        axes.set_xlabel(wells.subject.labelled(wells.name))
        rate = with_unit("", f"rad/{wells.subject.time_unit}").strip("[] ") if wells.subject.time_unit else ""
        lines = []
        for well in wells.wells[:MOST_PLACES_NAMED]:
            depth = "no hill beside it" if well.depth is None else f"depth {well.depth:.4g}"
            lines.append(
                f"well at {_rounded(well.position)}: {depth}, small swings {well.frequency:.4g} {rate}".rstrip()
            )
        lines += [f"hill at {_rounded(place)}" for place, _ in wells.hills[:MOST_PLACES_NAMED]]
        axes.set_title("\n".join(lines), loc="left", color=RESIDUAL)
        axes.legend(loc="best", frameon=False)

    return drawn_block(draw, f"{wells.subject.title}: potential", path, (7.2, 4.8))


def plot_basins(basins: Basins, path: str | Path | None = None) -> Figure:
    """A band of colour over the starts says where each ends; the potential above it, if there is one."""

    def draw(figure: Figure) -> None:
        if basins.potential is not None:
            above, band = figure.subplots(2, 1, sharex=True, height_ratios=(3.2, 1))
            _draw_ends(above, basins, alpha=0.35)
            _draw_potential(above, basins.potential)
            unit = energy_unit(basins.subject, basins.potential.name)
            above.set_ylabel(f"potential per inertia [{unit}]")
        else:
            band = figure.add_subplot()
        _draw_ends(band, basins, alpha=1.0)
        band.set_ylim(0, 1)
        band.set_yticks([])
        band.grid(False)
        band.set_xlim(basins.start[0], basins.start[-1])
        band.set_xlabel(f"start, {basins.subject.labelled(basins.name)}")
        at = ", ".join(f"{name} = {value:.4g}" for name, value in list(basins.held.items())[:4])
        band.set_title(f"end of the motion{f', from {at}' if at else ''}", loc="left", color=RESIDUAL)
        figure.legend(*_legend_of_ends(basins), loc="outside lower center", ncols=3, frameon=False)

    return drawn_block(
        draw, f"{basins.subject.title}: basins of attraction", path, (7.6, 5.4 if basins.potential else 2.6)
    )


def plot_section(section: PoincareSection, path: str | Path | None = None) -> Figure:
    """The points of a section in the plane of two states; with two states of which one is fixed, each return over the
    one before."""

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        names = [state.name for state in section.subject.states]
        free = [name for name in names if section.crossing is None or name != section.crossing[0]]
        if len(free) > 1:
            x, y = (section.states[names.index(name)] for name in free[:2])
            labels = [section.subject.labelled(name) for name in free[:2]]
        else:
            row = section.states[names.index(free[0])] if free else section.states[0]
            label = section.subject.labelled(free[0] if free else names[0])
            x, y = row[:-1], row[1:]
            labels = [f"{label}, one crossing", f"{label}, the next"]
            if len(row) > 1:
                ends = [min(row), max(row)]
                axes.plot(ends, ends, "-", color=FAINT, linewidth=1.0, zorder=1)
        _draw_points(figure, axes, x, y, section)
        axes.set_xlabel(labels[0])
        axes.set_ylabel(labels[1])
        axes.set_title(str(section), loc="left", color=RESIDUAL, wrap=True)

    return drawn_block(draw, f"{section.subject.title}: Poincaré section", path, (6.8, 5.4))


def plot_portrait(portrait: PhasePortrait, path: str | Path | None = None) -> Figure:
    """Motions in the plane of two states with the states of rest; arrows where they hold for every motion."""

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        names = [state.name for state in portrait.subject.states]
        first, second = (names.index(name) for name in portrait.names)
        if portrait.complete:
            _draw_arrows(axes, portrait)
        many = len(portrait.motions) > 1
        for index, motion in enumerate(portrait.motions):
            x, y = _within_a_turn(motion.states[[first, second]], portrait)
            main = index == 0
            width = 1.5 if main and many else 0.9 if many else float(np.clip(4000 / len(x), 0.35, 1.2))
            label = "motion from the start" if main else "motions from around" if index == 1 else None
            colour, alpha = (MODEL, 1.0) if main else (CURVE, 0.75)
            axes.plot(x, y, "-", color=colour, linewidth=width, alpha=alpha, label=label)
            if portrait.complete:
                axes.plot(x[0], y[0], ".", color=colour, markersize=5)
        _draw_rests(axes, portrait)
        axes.set_xlim(portrait.x[0], portrait.x[-1])
        axes.set_ylim(portrait.y[0], portrait.y[-1])
        axes.set_xlabel(portrait.subject.labelled(portrait.names[0]))
        axes.set_ylabel(portrait.subject.labelled(portrait.names[1]))
        figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=4, frameon=False)
        if not portrait.complete:
            others = len(names) - 2
            seen = f"seen along {others} other state(s)" if others else "under its forcing"
            axes.set_title(f"one motion, {seen}", loc="left", color=RESIDUAL)

    return drawn_block(draw, f"{portrait.subject.title}: phase portrait", path, (7.0, 5.6))


def plot_exponent(exponent: LyapunovExponent, path: str | Path | None = None) -> Figure:
    """The running estimate of the exponent and the final one with its band of two standard errors."""

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        low, high = exponent.value - 2 * exponent.std, exponent.value + 2 * exponent.std
        axes.axhspan(low, high, color=BAND, linewidth=0, label="\N{PLUS-MINUS SIGN}2 standard errors")
        axes.axhline(0, color=INK, linewidth=0.8)
        axes.axhline(exponent.value, color=MODEL, linewidth=1.0, label="final estimate")
        axes.plot(exponent.time, exponent.history, "-", color=CURVE, linewidth=1.2, label="running estimate")
        late = exponent.history[len(exponent.history) // 20 :]  # the first values swing widely
        reach = np.array([min(late.min(), low, 0.0), max(late.max(), high, 0.0)])
        pad = 0.08 * max(float(np.ptp(reach)), 1e-12)
        axes.set_ylim(reach[0] - pad, reach[1] + pad)
        per = f"1/{exponent.subject.time_unit}" if exponent.subject.time_unit else ""
        axes.set_ylabel(with_unit("largest Lyapunov exponent", per))
        axes.set_xlabel(with_unit("time", exponent.subject.time_unit))
        axes.set_title(str(exponent).replace("+-", "\N{PLUS-MINUS SIGN}"), loc="left", color=RESIDUAL, wrap=True)
        axes.legend(loc="best", frameon=False)

    return drawn_block(draw, f"{exponent.subject.title}: Lyapunov exponent", path, (8.2, 4.6))


def plot_energy(balance: EnergyBalance, path: str | Path | None = None) -> Figure:
    """Kinetic, potential and total energy above; below, where the energy came from and went to."""

    def draw(figure: Figure) -> None:
        above, below = figure.subplots(2, 1, sharex=True)
        potential = balance.potential - balance.potential.min()
        total = balance.kinetic + potential
        above.plot(balance.time, balance.kinetic, color=DATA, linewidth=0.8, label="kinetic")
        above.plot(balance.time, potential, color=CURVE, linewidth=0.8, label="potential")
        above.plot(balance.time, total, color=MODEL, linewidth=1.4, label="total")
        below.plot(balance.time, total - total[0], color=MODEL, linewidth=1.4, label="change of the total")
        below.plot(balance.time, balance.damping, "--", color=RESIDUAL, linewidth=1.4, label="work of damping")
        below.plot(balance.time, balance.driving, color="#5a9a4a", linewidth=1.1, label="work of driving")
        unit = energy_unit(balance.subject, balance.name)
        above.set_ylabel(f"energy [{unit}]")
        below.set_ylabel(f"work [{unit}]")
        below.set_xlabel(with_unit("time", balance.subject.time_unit))
        missing = float(np.abs(balance.residual).max())
        below.set_title(f"not accounted for: at most {missing:.1e}", loc="left", color=RESIDUAL)
        above.set_title("per unit of inertia", loc="left", color=RESIDUAL)
        for axes in (above, below):
            axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
        figure.align_ylabels()

    return drawn_block(draw, f"{balance.subject.title}: balance of energy", path, (8.8, 5.6))


PLOTS: dict[type, Callable[[Any, str | Path | None], Figure]] = {
    PotentialWells: plot_wells,
    Basins: plot_basins,
    PoincareSection: plot_section,
    PhasePortrait: plot_portrait,
    LyapunovExponent: plot_exponent,
    EnergyBalance: plot_energy,
}


def _draw_potential(axes: Axes, wells: PotentialWells) -> None:
    axes.plot(wells.position, wells.energy, "-", color=CURVE, linewidth=1.6)
    style: dict[str, Any] = {"markersize": 8, "markeredgecolor": INK, "linestyle": "none", "zorder": 5}
    if wells.wells:
        x, y = zip(*((well.position, well.energy) for well in wells.wells), strict=True)
        axes.plot(x, y, marker="o", color=MODEL, label="stable", **style)
    if wells.hills:
        x, y = zip(*wells.hills, strict=True)
        axes.plot(x, y, marker="o", color="white", label="unstable", **style)
        top = max(energy for _, energy in wells.hills)
        span = top - min(well.energy for well in wells.wells) if wells.wells else np.ptp(wells.energy)
        lowest = float(wells.energy.min())
        if wells.energy.max() > lowest + HEADROOM * span:
            axes.set_ylim(lowest - 0.08 * HEADROOM * span, lowest + HEADROOM * span)
    axes.set_xlim(wells.position[0], wells.position[-1])


def _colour(index: int) -> str:
    return {UNDECIDED: "#f2f2f2", ESCAPED: "#4a4a4a"}.get(index, ATTRACTORS[index % len(ATTRACTORS)])


def _draw_ends(axes: Axes, basins: Basins, alpha: float) -> None:
    """One band per run of equal ends; between runs the boundary, where it is known, else the middle."""
    ends, starts = basins.attractor, basins.start
    changes = np.nonzero(ends[:-1] != ends[1:])[0]
    edges = [float(starts[0])]
    for change in changes:
        low, high = starts[change], starts[change + 1]
        known = [item.start for item in basins.boundaries if low <= item.start <= high]
        edges.append(known[0] if known else float(low + high) / 2)
    edges.append(float(starts[-1]))
    for left, right, index in zip(edges[:-1], edges[1:], ends[np.append(changes, len(ends) - 1)], strict=True):
        axes.axvspan(left, right, color=_colour(int(index)), alpha=alpha, linewidth=0, zorder=0)


def _legend_of_ends(basins: Basins) -> tuple[list[Any], list[str]]:
    from matplotlib.patches import Patch

    handles, labels = [], []
    for index in [*range(len(basins.attractors)), UNDECIDED, ESCAPED]:
        if index < 0 and not np.any(basins.attractor == index):
            continue
        words = {UNDECIDED: "undecided", ESCAPED: "leaves without bound"}.get(index, "")
        if index >= 0:
            place = basins.attractors[index].state[basins.name]
            words = f"{letter(index)}: rests at {basins.name} = {_rounded(place)}"
        handles.append(Patch(facecolor=_colour(index), edgecolor=INK, linewidth=0.5))
        labels.append(f"{words} ({100 * basins.share(index):.1f} %)")
    return handles, labels


def _draw_points(
    figure: Figure, axes: Axes, x: NDArray[np.float64], y: NDArray[np.float64], section: PoincareSection
) -> None:
    if len(x) > FEW and not section.settles:
        size = 9.0 if distinct_points(section) <= MOST_PLACES else 3.0
        axes.plot(x, y, ".", color=CURVE, markersize=size, markeredgewidth=0, rasterized=True)
    else:  # few points, or a way to rest: their order matters
        order = np.arange(1, len(x) + 1)
        shown = axes.scatter(x, y, c=order, s=16, cmap="viridis_r", zorder=3)
        if len(x) > 1:
            from matplotlib.ticker import MaxNLocator

            figure.colorbar(shown, ax=axes, label="number of the point", pad=0.01, ticks=MaxNLocator(integer=True))
    for values, limit in ((x, axes.set_xlim), (y, axes.set_ylim)):
        middle, half = (
            (float(values.max() + values.min()) / 2, float(np.ptp(values)) / 2) if len(values) else (0.0, 0.0)
        )
        half = max(1.06 * half, 0.05 * abs(middle), 1e-9)  # one point repeated is no cloud of rounding errors
        limit(middle - half, middle + half)


def _within_a_turn(path: NDArray[np.float64], portrait: PhasePortrait) -> NDArray[np.float64]:
    """A path in projection whose angles whirl, brought into (-pi, pi] and broken where it leaves on one side."""
    turns = [repeats and not portrait.complete and np.ptp(row) > 2 * np.pi
             for repeats, row in zip(portrait.repeats, path, strict=True)]  # fmt: skip
    if not any(turns):
        return path
    path = path.copy()
    path[turns] = np.pi - np.mod(np.pi - path[turns], 2 * np.pi)
    jumps = (np.abs(np.diff(path[turns], axis=1)) > np.pi).any(axis=0)
    path[:, 1:][:, jumps] = np.nan
    return path


def _draw_arrows(axes: Axes, portrait: PhasePortrait) -> None:
    with np.errstate(all="ignore"):
        dx, dy = np.nan_to_num(portrait.dx), np.nan_to_num(portrait.dy)
    axes.streamplot(
        portrait.x, portrait.y, dx, dy, density=1.3, color="#b8c6d3", linewidth=0.6, arrowsize=0.7, zorder=1
    )


def _draw_rests(axes: Axes, portrait: PhasePortrait) -> None:
    turns = [(-2 * np.pi, 0.0, 2 * np.pi) if repeats else (0.0,) for repeats in portrait.repeats]
    for stable in (False, True):  # seen in projection, a stable state may lie over unstable ones
        places = [
            [rest.state[portrait.names[0]] + right, rest.state[portrait.names[1]] + up]
            for rest in portrait.rests
            if rest.stable is stable
            for right in turns[0]
            for up in turns[1]
        ]
        if places:
            x, y = np.array(places).T
            label = "stable rest" if stable else "unstable rest"
            colour = MODEL if stable else "white"
            axes.plot(x, y, "o", color=colour, markeredgecolor=INK, markersize=7, zorder=6, label=label)


def _rounded(value: float) -> str:
    return f"{0.0 if abs(value) < 1e-10 else value:.4g}"
