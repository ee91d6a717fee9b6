"""A posterior as ArviZ keeps them, so that its pictures, tables and comparisons can be had of a fit."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from identikit.errors import OptionError, need

if TYPE_CHECKING:
    from identikit.result._result import Result


def inference_data(result: Result) -> Any:
    """An `arviz.InferenceData`, from a saved result too.

    Groups: posterior and sample_stats of all draws; log_likelihood and posterior_predictive of some draws of every
    chain, whose numbers are their `draw` coordinate; observed_data. log_likelihood has the dimensions (chain, draw,
    record), so it compares records and not single samples, of which a result keeps none; predictive values have those
    of time, "t of OUTPUT, RECORD". Results of earlier versions lack both.

    Raises OptionError if the result's intervals do not come from a posterior.
    """
    draws = next((item for item in result.artifacts.values() if item.get("what") == "posterior"), None)
    if draws is None:
        raise OptionError("this result has no posterior: fit with the uncertainty 'bayes'")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", category=FutureWarning)  # ArviZ announces its own rebuilding
        arviz = need("arviz", extra="bayes")
    unknowns = {**draws["parameters"], **draws["initial_states"]}
    made = arviz.from_dict(
        posterior={name: np.array(values, float) for name, values in unknowns.items()},
        sample_stats={
            "lp": np.array(draws["log_density"], float),
            "diverging": np.array(draws["diverging"], bool),
        },
        attrs={"model": result.model, "method": result.method, "created_by": "identikit"},
    )
    curves = [item for item in result.artifacts.values() if item.get("kind") == "curve" and "measured" in item]
    measured = {_name(item): (item["t"], np.array(item["measured"], float)) for item in curves}
    made.add_groups(observed_data=_dataset(arviz, measured, default_dims=[]))
    if "kept" not in draws:
        return made
    bands = [item for item in result.artifacts.values() if item.get("what") == "posterior prediction"]
    new = {_name(item): (item["t"][:: item["every"]], np.array(item["predictive"], float)) for item in bands}
    made.add_groups(
        log_likelihood=arviz.dict_to_dataset(
            {"log_likelihood": np.stack([np.array(one, float) for one in draws["log_likelihood"].values()], axis=-1)},
            coords={"draw": draws["kept"], "record": list(draws["log_likelihood"])},
            dims={"log_likelihood": ["record"]},
        ),
        posterior_predictive=_dataset(arviz, new, {"draw": draws["kept"]}),
    )
    return made


def _name(item: Mapping[str, Any]) -> str:
    return f"{item['output']}, {item['record']}"


def _dataset(
    arviz: Any,
    series: Mapping[str, tuple[Any, np.ndarray]],
    coords: Mapping[str, Any] | None = None,
    **more: Any,
) -> Any:
    """Outputs of records, each with times of its own."""
    times = {f"t of {name}": t for name, (t, _) in series.items()}
    return arviz.dict_to_dataset(
        {name: values for name, (_, values) in series.items()},
        coords={**(coords or {}), **times},
        dims={name: [f"t of {name}"] for name in series},
        **more,
    )
