"""Numbers that were chosen, each with a word; results echo them in their provenance."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ForceSettings:
    """Of points of the force and of what is drawn through them."""

    # restoring force
    explained: float = 0.9
    """Share of the force's variance beyond which the law holds though no trajectory could follow the record."""
    # force law
    most_operations: int = 200  # of a term that is multiplied out
    # force points
    points_per_oscillation: int = 60  # enough to draw a loop smoothly
    fewest_points: int = 200  # per record
    most_points: int = 4000  # per record
    saved_points: int = 2000  # points of all records in an artifact
    edge: float = 0.15  # oscillations left out at either end, where a spline hangs on one side only
    abscissae: int = 81  # at which a section of the force is drawn
    reach: float = 0.04  # half-width of the local line, of the range
    fewest_in_reach: int = 6  # points under the local line: fewer give no line
    probes: int = 100  # points at which the noise of the force itself is computed
    cells: int = 24  # of the surface in each direction
    outermost: float = 0.002  # quantile of the coordinates at which a section ends


FORCE = ForceSettings()
