"""States and parameters estimated sample by sample, as they are measured."""

from identikit.online._estimate import Estimate as Estimate
from identikit.online._identifier import KalmanIdentifier as KalmanIdentifier
