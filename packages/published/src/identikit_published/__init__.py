"""Published tables and figures, done again: printed, as printed, our best, and the bound, side by side."""

from identikit_published._base import Document as Document
from identikit_published._base import Item as Item
from identikit_published._base import Outcome as Outcome
from identikit_published._base import Scale as Scale
from identikit_published._base import Work as Work
from identikit_published._registry import DOCUMENTS as DOCUMENTS
from identikit_published._registry import FAULTS as FAULTS
from identikit_published._registry import ITEMS as ITEMS
from identikit_published._run import reproduce as reproduce
