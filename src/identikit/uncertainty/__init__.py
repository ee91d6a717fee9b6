"""Kinds of intervals: what an estimate's uncertainty is taken from. One file per kind."""

from identikit.uncertainty._base import Fitted as Fitted
from identikit.uncertainty._base import Intervals as Intervals
from identikit.uncertainty._base import Uncertainty as Uncertainty
from identikit.uncertainty._registry import AS_FITTED as AS_FITTED
from identikit.uncertainty._registry import UNCERTAINTIES as UNCERTAINTIES
from identikit.uncertainty._registry import assessed as assessed
from identikit.uncertainty._registry import check_uncertainty as check_uncertainty
