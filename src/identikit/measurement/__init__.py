"""Measurements: records, experiments, loading, cleaning and noise."""

from identikit.measurement._experiment import Experiment as Experiment
from identikit.measurement._load import load as load
from identikit.measurement._record import Channel as Channel
from identikit.measurement._record import Record as Record

__all__ = ["Channel", "Experiment", "Record", "load"]
