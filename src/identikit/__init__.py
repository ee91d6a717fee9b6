"""identikit: physical parameters of dynamical systems from measured time series, with their uncertainty.

    import identikit as ik
    result = ik.fit("swing.csv", model="horizontal_pendulum", free=["zeta", "mu_c", "mu_q", "k"])
    print(result)

Names are loaded on first use, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # what `_HOMES` does at run time, for type checkers and editors
    from identikit._compare import compare as compare
    from identikit._damping import damping as damping
    from identikit._design import design as design
    from identikit._discover import discover as discover
    from identikit._fit import fit as fit
    from identikit._identifiability import identifiability as identifiability
    from identikit._look import look as look
    from identikit._plot import plot as plot
    from identikit._predict import predict as predict
    from identikit._report import report as report
    from identikit._select import select as select
    from identikit._simulate import simulate as simulate
    from identikit.likelihood import Likelihood as Likelihood
    from identikit.measurement import Experiment as Experiment
    from identikit.measurement import Record as Record
    from identikit.measurement import load as load
    from identikit.model import Input as Input
    from identikit.model import Model as Model
    from identikit.model import Parameter as Parameter
    from identikit.model import State as State
    from identikit.model import library_model as library_model
    from identikit.model import load_model as load_model
    from identikit.online import KalmanIdentifier as KalmanIdentifier
    from identikit.problem import Initial as Initial
    from identikit.problem import Problem as Problem
    from identikit.progress import ProgressEvent as ProgressEvent
    from identikit.question import Question as Question
    from identikit.result import ComparisonReport as ComparisonReport
    from identikit.result import DampingReport as DampingReport
    from identikit.result import DesignReport as DesignReport
    from identikit.result import IdentifiabilityReport as IdentifiabilityReport
    from identikit.result import LookReport as LookReport
    from identikit.result import Prediction as Prediction
    from identikit.result import Reproduction as Reproduction
    from identikit.result import Result as Result
    from identikit.result import SelectionReport as SelectionReport
    from identikit.simulation import synthesize as synthesize

__version__ = "0.2.0"

_HOMES = {
    "look": "identikit._look",
    "fit": "identikit._fit",
    "predict": "identikit._predict",
    "compare": "identikit._compare",
    "damping": "identikit._damping",
    "design": "identikit._design",
    "discover": "identikit._discover",
    "identifiability": "identikit._identifiability",
    "select": "identikit._select",
    "simulate": "identikit._simulate",
    "plot": "identikit._plot",
    "report": "identikit._report",
    "Question": "identikit.question",
    "Problem": "identikit.problem",
    "Initial": "identikit.problem",
    "Likelihood": "identikit.likelihood",
    "Result": "identikit.result",
    "Prediction": "identikit.result",
    "ComparisonReport": "identikit.result",
    "DampingReport": "identikit.result",
    "DesignReport": "identikit.result",
    "LookReport": "identikit.result",
    "IdentifiabilityReport": "identikit.result",
    "SelectionReport": "identikit.result",
    "Reproduction": "identikit.result",
    "Model": "identikit.model",
    "Parameter": "identikit.model",
    "Input": "identikit.model",
    "State": "identikit.model",
    "library_model": "identikit.model",
    "load_model": "identikit.model",
    "Record": "identikit.measurement",
    "Experiment": "identikit.measurement",
    "load": "identikit.measurement",
    "synthesize": "identikit.simulation",
    "ProgressEvent": "identikit.progress",
    "KalmanIdentifier": "identikit.online",
}

__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'identikit' has no attribute '{name}'")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
