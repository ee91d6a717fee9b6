"""A posterior as ArviZ keeps them, so that its pictures, tables and comparisons can be had of a fit."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from identikit.errors import OptionError, need

if TYPE_CHECKING:
    from identikit.result._result import Result


def inference_data(result: Result) -> Any:
    """An `arviz.InferenceData` with the groups posterior, sample_stats and observed_data; from a saved result too.

    Raises OptionError if the result's intervals do not come from a posterior.
    """
    draws = next((item for item in result.artifacts.values() if item.get("what") == "posterior"), None)
    if draws is None:
        raise OptionError("this result has no posterior: fit with the uncertainty 'bayes'")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", category=FutureWarning)  # ArviZ announces its own rebuilding
        arviz = need("arviz", extra="bayes")
    unknowns = {**draws["parameters"], **draws["initial_states"]}
    curves = [item for item in result.artifacts.values() if item.get("kind") == "curve" and "measured" in item]
    return arviz.from_dict(
        posterior={name: np.array(values, float) for name, values in unknowns.items()},
        sample_stats={
            "lp": np.array(draws["log_density"], float),
            "diverging": np.array(draws["diverging"], bool),
        },
        observed_data={f"{item['output']}, {item['record']}": np.array(item["measured"], float) for item in curves},
        attrs={"model": result.model, "method": result.method, "created_by": "identikit"},
    )
