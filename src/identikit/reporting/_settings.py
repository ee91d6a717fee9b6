"""Numbers that were chosen for reports, each with a word."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ReportSettings:
    """Of pictures, of how much is shown, and of lists."""

    # pictures
    most_points: int = 2400  # of one line: more cannot be told apart on a screen
    most_marks: int = 5000  # of samples drawn as marks: keeping the extremes alone would hide how they scatter
    digits: int = 7  # of numbers in interactive pictures
    wide: float = 9.2  # inches: a picture that fills the page
    half: float = 4.7  # inches: one of two beside each other
    signal_height: float = 2.9  # inches: a panel of a signal
    half_height: float = 3.0  # inches: a panel alone in such a picture
    residual_height: float = 1.5  # inches: a panel of residuals
    input_height: float = 1.3  # inches: a panel of an input
    pixels_per_inch: float = 96.0  # of an interactive picture's height
    panel_gap: float = 0.3  # inches between panels of an interactive picture
    many_marks: int = 300  # from which marks are small
    dots_per_inch: int = 130  # of what is drawn as dots inside a still picture
    fewest_in_histogram: int = 50  # residuals: fewer show no shape
    bins: int = 40  # of a histogram, at most
    bell_reach: float = 4.0  # standard deviations that the normal curve is drawn over
    bell_points: int = 121  # at which it is drawn
    floor_quantile: float = 0.05  # quantile of the measured amplitudes that stands for the noise
    far_below: float = 0.1  # of that noise: smaller amplitudes of the model are not drawn
    longest_name: int = 44  # letters of a label in a picture
    longest_upward: int = 30  # letters of a label along the upward axis, which is short
    longest_tick: int = 26  # letters of a name along an axis
    most_decades: float = 3.0  # of a logarithmic axis up to which more than powers of ten are named
    most_powers: int = 8  # powers of ten named along one
    # how much is shown
    most_curves: int = 6  # outputs of records, each with a picture of its own
    short: int = 28  # letters of a table's cell that are not broken
    dense: int = 70  # letters across a table from which it is printed small
    densest: int = 115  # letters across from which its cells may be broken in print, for nothing else makes it fit
    most_named: int = 6  # parameters that a sentence lists one by one
    most_correlated: int = 12  # parameters in a table of correlations


REPORT = ReportSettings()
