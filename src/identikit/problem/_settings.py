"""Numbers that were chosen, each with a word."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ProblemSettings:
    """Of how records are read as inputs and outputs of a model."""

    # columns
    long_gap: float = 10.0  # in units of the usual spacing: a longer stretch without samples is worth a word
    # input coverage
    usual_quantile: float = 0.9  # of the spacings of an input sampled irregularly: the usual one
    off_grid: float = 0.1  # of the median spacing: how far a multiple of it may be off on a regular grid
    on_grid: float = 0.95  # share of spacings that are such multiples, on a regular grid
    regular: float = 1.5  # of the usual spacing: up to here, no sample of an input is missing
    bridged: float = 3.5  # of the usual spacing: up to here, one or two are missing, and may be bridged
    bridged_error: float = 0.15
    """Of the input's standard deviation: how far a line may be off what is missing, by the input's curvature."""
    fewest_regular: int = 5  # samples of an input from which it has a usual spacing; fewer are events
    changing: float = 0.95  # share of samples that differ from the one before, from which only changes were recorded
    most_parts: int = 30  # a record in more parts than this is better filled in by the user
    fewest_part_samples: int = 6  # per state: a shorter part would tell little beyond its own initial state
    most_listed: int = 4  # stretches that one finding names
    # holds
    level_share: float = 0.5  # of an input's steps that change nothing, from which it may be a command
    command_jump: float = 0.03  # of its range: the usual jump of a command; steps of a converter are smaller


PROBLEM = ProblemSettings()
