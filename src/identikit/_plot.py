"""The front door for pictures: whatever there is to draw, drawn."""

from __future__ import annotations

import io
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from identikit import plotting
from identikit.errors import OptionError, did_you_mean
from identikit.measurement import Experiment, Record
from identikit.result import (
    ComparisonReport,
    DampingReport,
    DesignReport,
    IdentifiabilityReport,
    LookReport,
    Prediction,
    Reproduction,
    Result,
    SelectionReport,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure


KINDS = ("usual", "response", "uncertainty", "posterior")


def plot(what: Any, path: str | Path | None = None, kind: str = "usual") -> Figure:
    """Draw what a front door answered (a Result, a Prediction, a report), a Record, an Experiment, or what
    `identikit.explore` found.

    Arguments:
        path: file to write (.png, .pdf or .svg), whole or not at all; None = only return the figure.
        kind: "usual"; "response" for a fit or a prediction: orbits and spectra, measured and modelled; "uncertainty"
            for a fit: its intervals, profiles and replicates alone; "posterior" for a fit whose intervals come from
            one: pairs of parameters, chains, prediction.
    """
    if kind not in KINDS:
        raise OptionError(f"there is no picture of kind {kind!r}.{did_you_mean(kind, KINDS)}")
    if kind == "response":
        if not isinstance(what, Result | Prediction):
            raise OptionError("a picture of the response is drawn of a fit or a prediction, not of this")
        figure = plotting.plot_response(what, path)
    elif kind == "uncertainty":
        if not isinstance(what, Result):
            raise OptionError("a picture of the uncertainty is drawn of a fit, not of this")
        figure = plotting.plot_uncertainty(what, path)
    elif kind == "posterior":
        if not isinstance(what, Result):
            raise OptionError("a picture of the posterior is drawn of a fit, not of this")
        figure = plotting.plot_posterior(what, path)
    else:
        figure = _drawn(what, path)
    # without pyplot a notebook has no way of its own to show a figure
    setattr(figure, "_repr_png_", partial(_png, figure))  # noqa: B010
    return figure


def _drawn(what: Any, path: str | Path | None) -> Figure:
    if isinstance(what, Result):
        return plotting.plot_fit(what, path)
    if isinstance(what, Prediction):
        return plotting.plot_fit(cast(Any, what), path)  # it holds the same curves, and nothing else is drawn
    if isinstance(what, DampingReport):
        return plotting.plot_damping(what, path)
    if isinstance(what, SelectionReport):
        return plotting.plot_selection(what, path)
    if isinstance(what, LookReport):
        return plotting.plot_look(what, path)
    if isinstance(what, IdentifiabilityReport):
        return plotting.plot_identifiability(what, path)
    if isinstance(what, DesignReport):
        return plotting.plot_design(what, path)
    if isinstance(what, Reproduction):
        return plotting.plot_reproduction(what, path)
    if isinstance(what, ComparisonReport):
        return plotting.plot_comparison(what, path)
    if isinstance(what, Record | Experiment):
        return plotting.plot_record(what, path)
    return plotting.plot_finding(what, path)


def _png(figure: Figure) -> bytes:
    content = io.BytesIO()
    figure.savefig(content, format="png", dpi=96)
    return content.getvalue()
