"""Numbers that were chosen, each with a word; results echo them in their provenance."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class MissingTermSettings:
    """Of the search for a term that would explain what a model leaves over."""

    # candidates
    most_candidates: int = 24  # in one kernel: each is one more sensitivity, which takes time to compile and to run
    most_sensitivities: int = 100  # of all states, parameters' own included: beyond, there are fewer candidates
    fewest_candidates: int = 8  # all the same
    points: int = 200  # random states at which candidates are compared with what the model has
    relative_error: float = 0.5
    """Largest of a sensor's scale or an input's gain: linearised, a larger one would stand for no motion at all."""
    dependent: float = 1e-8  # part of a candidate beyond the model's own columns: below, the model has it already
    # screening
    loose_rounds: int = 4  # evaluations in which loosely tied segments come to follow the record
    growth: float = 1e3  # of a deviation within one part: beyond, chaos would drown the record, and a new part begins
    inseparable: float = 1e-4  # part of a candidate's effect that free parameters cannot take over: less is nothing
    blocks: int = 16  # of the record, whose scores count as draws where residuals are coloured
    # search
    refitted: int = 4  # candidates that are fitted in earnest, the most promising first
    refitted_pairs: int = 2  # pairs that are, and as many of usual terms alone
    most_rounds: int = 40  # evaluations of one such fit
    second: float = 0.3  # of what is left beyond the noise without it: a second term must explain more
    second_chi_square: float = 100.0  # sum of squares left beyond the noise, in units of it: less needs no second
    # verdict
    least_share: float = 0.25  # of what is left beyond the noise: a term that explains less is not named
    evidence: float = 10.0  # difference in BIC that counts as very strong
    about_as_much: float = 0.1  # of what is left beyond the noise, by which a more usual term may explain less
    # disturbance
    outstanding: float = 6.0  # robust standard deviations of a jump between segments that stands out
    longest_disturbance: float = 0.5  # of the record: something that acts for longer is not an event
    concentrated: float = 0.8  # of what is left beyond the noise that vanishes when the stretch is left out
    lawlike: float = 0.1  # of the same: a term that explains less by no more than this is named in place of an event
    # explained
    samples_per_segment: float = 20.0  # of a record that is thinned for the search: fifty in each oscillation
    moved: float = 3.0  # standard errors by which a term moves an estimate that then cannot be quoted without it
    # words
    worth_a_word: float = 0.01  # of a parameter: by how much a term must move it


MISSING = MissingTermSettings()
