"""Numbers that were chosen for reading a series alone, each with a word."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SeriesSettings:
    """Of the clock, the colour of noise, quantisation, outliers, limits, steps and lines of a series."""

    # clock
    pause: float = 10.0  # usual spacings: a longer pause is a gap, whatever the jitter
    regular: float = 1e-3  # of the spacing: stamps that a logger rounded differ by less
    # colour of noise
    fewest_for_colour: int = 256  # samples: fewer do not tell colour from chance
    longest_window: int = 1024  # samples of a window whose spectrum is taken
    window_share: float = 1 / 1.5  # of a short series, so that its ends count too
    most_for_colour: int = 1 << 16  # samples: they give the coefficient to 0.01
    most_moved: int = 1 << 15  # samples, where a curve has to be laid through them first
    stretch: int = 8192  # samples of a stretch that is taken from a longer series
    dynamic_range: float = 1e8  # of power: beyond, a window with lower side lobes is needed
    overlapped: float = 0.9  # of the information, that windows overlapping by three quarters keep
    line: float = 4.0  # times the median power about it: a line of the signal, not noise
    line_doubts: float = 3.0  # standard errors on top of that
    neighbourhood: int = 32  # part of the band about a frequency, for that median
    first_cut: float = 0.5  # of the band: what is above counts as noise without being asked
    band_ratio: float = 1.25  # of frequencies: how far the band is continued at once
    signal_begins: float = 11.0  # likelihood ratio: chance exceeds it once in a thousand
    signal_suspected: float = 4.0  # likelihood ratio of the next band alone, if the one after it confirms
    fitted_bands: int = 8  # in which the spectrum found is compared with the model's
    misfit: float = 4.0  # mean squared deviation of these, in standard errors: more is no such noise
    misfit_share: float = 0.15  # of the power: a deviation that does no harm, however long the record
    uneven: float = 1.4  # ratio of mean to usual size of what changes from sample to sample: more, and it jumps
    most_filled: float = 0.3  # of the samples missing within a stretch: with more, colour is not asked for
    # quantisation
    fewest_levels: int = 6  # with fewer, any two values lie on some grid
    most_levels: int = 4096  # from which the step is found; all are compared with it
    off_grid: float = 0.06  # of the step, rms: values spread evenly have 0.29
    level_digits: float = 1e-12  # of the largest value: levels closer than this are one level
    # outliers
    neighbours: int = 4  # samples on either side that say what a sample should be
    longest_burst: int = 3  # samples in a row that can be wrong together
    wild: float = 8.0  # standard deviations off what the neighbours say
    visible: float = 2e-3  # of the range: what is closer does no harm, and signals without noise have such corners
    rough: float = 5.0  # times the largest misfit of the neighbours themselves: less is a jump or a kink
    step_share: float = 0.6  # of such a misfit, that lines before and after may miss each other by
    most_wild: float = 0.1  # of the samples: more of them are no outliers
    recurring: float = 0.1  # of the time between them: spikes that come back on time to this are signal
    fewest_recurring: int = 5  # spikes, before their rhythm is judged
    # limits
    run_at_limit: int = 3  # samples in a row at the extreme value
    limit_band: float = 0.01  # of the range, below the extreme: what is compared with the stay at it
    held_at_limit: float = 4.0  # times as many samples at the extreme as in that band
    left_limit: float = 0.05  # of the range: how far the series leaves a limit before it comes back
    # steps
    held: float = 0.8  # of the samples equal the one before: steps, not a measurement
    shortest_hold: float = 5.0  # samples between changes, on average
    fewest_runs: int = 3  # that a column numbers
    large_step: float = 0.05  # of the range: changes of a command; a slow encoder's are smaller
    even_hold: float = 0.9  # of the changes come after the same number of samples: a slower sensor
    # wrapped angles
    wrap_miss: float = 0.1  # of a turn, that a jump may differ from a turn
    # lines of the spectrum
    most_lines: int = 3  # that are named
    weakest_line: float = 0.05  # of the strongest one's amplitude
    fewest_cycles: float = 3.0  # in the record: fewer are no frequency
    beside_slow: float = 0.5  # of the amplitude of what is slower than that: less is its skirt
    above_noise: float = 5.0  # times what noise gives in one line


SERIES = SeriesSettings()
