"""Numbers that were chosen, each with a word; results echo them in their provenance."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class DecaySettings:
    """Of the first state of a decay, which all its methods share."""

    beginning: float = 0.4  # periods, over which a cubic gives the first state
    simulation_tolerance: float = 1e-9
    """Integration error per step of the curve that the fit of initial states starts from."""
    astray: float = 0.3  # of the record's spread: a simulation further off is no start
    twin_pairs: int = 6  # of simulated twins: each costs a whole fit


DECAY = DecaySettings()


@dataclass(frozen=True)
class EnvelopeSettings:
    """Of the search for a damping by its envelope, and of its standard error."""

    # envelope
    contradicted: float = 13.8
    """Chi squared of two degrees of freedom that one true initial state in a thousand exceeds."""
    mask_log: float = 25.0  # noise levels: an envelope below is left out of a fit to its logarithm
    mask_linear: float = 2.0  # the same for a fit to the envelope itself
    fewest_rows: int = 12  # of an envelope: fewer give no law
    # envelope fit
    tolerance: float = 1e-8  # integration error per step, relative
    most_steps: int = 20_000  # of the integrator in one evaluation: a trial that needs more is far off
    grid: int = 16  # values of a damping that are tried, evenly in its logarithm
    searched: float = 1e-4  # of the logarithm: least squares with exact derivatives takes it from there
    weakest: float = 1e-5  # damping force over restoring force, where the search begins
    strongest: float = 1.0  # and where it ends
    draws: int = 300  # of residuals in blocks, for standard errors: they are known to 4 per cent
    block: float = 3.0  # periods: residuals further apart are taken as independent


ENVELOPE = EnvelopeSettings()


@dataclass(frozen=True)
class TopologicalSettings:
    """Of fits to the lifespans of valleys."""

    # topological
    fewest_lifespans: int = 3  # valleys: fewer leave nothing to judge a decay by
    # lifespan fit
    relative_step: float = 1e-4  # of central differences; the map is smooth in its parameters to about 1e-12


TOPOLOGICAL = TopologicalSettings()
