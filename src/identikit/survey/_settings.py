"""Numbers that were chosen for telling what a record shows, each with a word."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SurveySettings:
    """Of kinds of motion, of columns, and of what is kept for the picture."""

    # kinds of motion
    fewest_samples: int = 24  # of a record: with fewer its kind is a guess
    samples_per_period: int = 40  # that are enough to follow an oscillation
    most_samples: int = 6000  # of a motion, where that leaves enough per period
    resting: float = 1.2  # times the noise: a smaller standard deviation is rest
    windows_per_record: int = 40  # at most, in which the size of the motion is measured
    fewest_windows: int = 6  # at least, to follow it
    periods_per_window: float = 2.0  # so that it does not depend on the phase
    falls: float = 0.7  # of its size at the beginning of a decay, at its end
    wobble: float = 1.1  # times the size before: a decay may rise by so much from one window to the next
    rough_wobble: float = 1.35  # the same for a motion of several oscillations, whose energy goes to and fro
    rough_windows: int = 8  # in which that is asked
    grown: float = 1.3  # times its size at the beginning, at the end of growth
    steady: float = 0.15  # relative scatter of a steady amplitude
    regular: float = 0.1  # relative scatter of the times between turning points of a steady oscillation
    few_cycles: float = 10.0  # oscillations: with fewer, all are asked for their rhythm
    mostly: float = 0.7  # of the windows at the final size: steady all along
    quiet: float = 0.1  # of the largest size: nothing happens yet, or no more
    still: float = 0.8  # times the noise: motion within a window that noise alone may show
    still_share: float = 0.002  # of the range: where there is next to no noise
    falls_roughly: float = 0.5  # of its size at the beginning, at the end of an irregular decay
    settled: float = 0.03  # of the range: what the last quarter of a transient may still move
    clear: float = 5.0  # times the noise: a change of level that is one
    fewest_free_cycles: float = 4.0  # of a free part, for it to be named
    few_changes: int = 3  # of a command whose response is a step response
    upright: float = 0.5  # rad: an angle that rests so near to half a turn counts from upright
    # columns
    fewest_for_noise: int = 50  # samples: with fewer, noise is not told from motion
    bridged: float = 2e-3  # of the samples: so few outliers may be replaced by straight lines
    most_named: int = 20  # outliers whose times are kept
    resolution_seen: float = 0.5  # of the noise: a finer step does not matter
    staircase: float = 0.4  # of a step: rounding a drift makes lines of up to 1/pi of it
    jitter_large: float = 0.05  # of the spacing: methods that want even samples suffer
    coloured: float = 0.15  # coefficient: weaker colour makes standard errors hardly wider
    correlated: float = 0.3  # between samples up to ten apart: noise that is coloured in a way of its own
    # picture
    points: int = 1500  # of a curve: more than a picture has pixels
    spectrum_points: int = 500  # of a spectrum, evenly spread over its decades
    bars: int = 31  # of a histogram


SURVEY = SurveySettings()
