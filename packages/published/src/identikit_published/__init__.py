"""Published tables and figures, done again: printed, as printed, our best, and the bound, side by side."""

from identikit_published._base import ENERGY_PAPER as ENERGY_PAPER
from identikit_published._base import FURUTA_PAPER as FURUTA_PAPER
from identikit_published._base import GALERKIN_PAPER as GALERKIN_PAPER
from identikit_published._base import PENDULUM_REPORT as PENDULUM_REPORT
from identikit_published._base import REFERENCE_POINT_PAPER as REFERENCE_POINT_PAPER
from identikit_published._base import Item as Item
from identikit_published._base import Outcome as Outcome
from identikit_published._base import Scale as Scale
from identikit_published._base import Source as Source
from identikit_published._registry import ITEMS as ITEMS
from identikit_published._run import reproduce as reproduce
