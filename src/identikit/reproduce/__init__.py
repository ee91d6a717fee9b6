"""Published tables and figures, done again: printed, as printed, our best, and the bound, side by side."""

from identikit.reproduce._base import ENERGY_PAPER as ENERGY_PAPER
from identikit.reproduce._base import FURUTA_PAPER as FURUTA_PAPER
from identikit.reproduce._base import GALERKIN_PAPER as GALERKIN_PAPER
from identikit.reproduce._base import PENDULUM_REPORT as PENDULUM_REPORT
from identikit.reproduce._base import REFERENCE_POINT_PAPER as REFERENCE_POINT_PAPER
from identikit.reproduce._base import Item as Item
from identikit.reproduce._base import Outcome as Outcome
from identikit.reproduce._base import Scale as Scale
from identikit.reproduce._base import Source as Source
from identikit.reproduce._registry import ITEMS as ITEMS
from identikit.reproduce._run import reproduce as reproduce
