"""Numbers chosen for the choice between models, each with a word on its size."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SelectionSettings:
    """See docs/select.md."""

    share: float = 0.7  # of every record that a model is fitted to when it has to predict the rest
    close: float = 6.0
    """Difference of BIC up to which two models are not told apart: odds of 20, "positive" evidence after Raftery."""
    trifle: float = 0.02  # of the rms error on unseen samples: a smaller difference decides nothing
    blocks: int = 16  # of unseen samples, whose errors count as draws
    nested_level: float = 0.05  # p-value above which what a larger model adds is not needed
    most_points: int = 2000  # of a residual, in the saved report


SELECTION = SelectionSettings()
