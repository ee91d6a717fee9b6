"""What a published item is: a name, where it stands, and a function that does it again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from identikit.progress import Progress
from identikit.result import Panel, PublishedFigure


@dataclass(frozen=True)
class Source:
    """A document whose tables and figures are done again."""

    name: str
    reference: str


PENDULUM_REPORT = Source(
    "the pendulum report",
    "Inverse parameter estimation for nonlinear pendulum using optimization-based system identification, report, 2026; "
    "its code: Alqahtani921893/Damping-Parameter-Estimation on GitHub.",
)
GALERKIN_PAPER = Source(
    "the Galerkin paper",
    "Z. Liu, H. Fang, K.-W. Wang, J. Xu, A parameter identification method for continuous-time nonlinear systems and "
    "its realization on a Miura-origami structure, Mech. Syst. Signal Process. (2018).",
)
FURUTA_PAPER = Source(
    "the Furuta paper",
    "A. Wadi, S. Mukhopadhyay, L. Romdhane, Identifying friction in a nonlinear chaotic system using a universal "
    "adaptive stabilizer, IEEE Access (2022), doi 10.1109/ACCESS.2022.3165081.",
)
REFERENCE_POINT_PAPER = Source(
    "the reference-point paper",
    "G. Tsitsiashvili, A. Gudimenko, M. Osipova, Mathematical and statistical aspects of estimating small oscillations "
    "parameters in a conservative mechanical system using inaccurate observations, Mathematics 11(12) (2023) 2643, "
    "doi 10.3390/math11122643.",
)
ENERGY_PAPER = Source(
    "the energy paper",
    "B. P. Mann, F. A. Khasawneh, An energy-balance approach for oscillator parameter identification, J. Sound Vib. "
    "(2009).",
)


@dataclass(frozen=True)
class Scale:
    """How much work is done."""

    quick: bool = False

    def seeds(self, whole: int, quick: int) -> int:
        """How many noise draws."""
        return quick if self.quick else whole

    def some(self, whole: Sequence[str], quick: int = 1) -> Sequence[str]:
        """Which cases: all, or the first few."""
        return whole[:quick] if self.quick else whole


@dataclass(frozen=True)
class Outcome:
    """What doing an item again has shown; see Reproduction for the fields."""

    figures: tuple[PublishedFigure, ...] = ()
    panels: tuple[Panel, ...] = ()
    notes: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    seeds: int = 0


@dataclass(frozen=True)
class Item:
    """A table or figure of a document.

    Arguments:
        where: "Table 4", "Figures 1 and 2".
        run: does it again, telling its progress; must end with the same numbers whenever it is given the same scale.
    """

    key: str
    source: Source
    where: str
    title: str
    run: Callable[[Scale, Progress], Outcome]
