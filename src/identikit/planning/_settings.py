"""Numbers that were chosen, each with a word; reports echo them in their provenance."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class DesignSettings:
    """Of the search for the next experiment."""

    # candidates
    points: int = 64  # beginnings that are spread over the limits: a power of two keeps them even
    corners: int = 4  # quantities up to which every corner of the limits is tried: there motions are largest
    durations: int = 12  # lengths of a run, from the shortest worth trying to the longest allowed
    shortest: float = 0.05  # of the longest run: shorter ones hold less than one swing
    grid: int = 720  # instants at which information is read over the longest run: a sum over samples, not a shape
    still: float = 1e-12  # of a state's size: what changes by less from one instant to the next is at rest
    before_rest: float = 0.95  # of the time until friction holds the motion: how long it is worth sampling
    tolerance: float = 1e-8  # integration error per step while searching; what is reported is computed anew, exactly
    # refinement
    zooms: int = 3  # rounds of a finer search about the best
    zoom: float = 0.25  # of the limits: how far the first of them reaches; every next one as much less again
    zoomed: int = 3  # best candidates about which is searched
    zoom_points: int = 16  # about each
    most_exchanged: int = 400  # single runs among which sets of runs are chosen
    exchanges: int = 3  # passes over a set in which every run may be replaced
    # robustness
    draws: int = 8  # parameter values from the present uncertainty
    widest_draw: float = 0.5  # of a parameter's size: how far a draw goes where nothing is known of it
    # samples
    cells: int = 24  # stretches of the longest run that are sampled or not: more could not be followed by hand
    densest: float = 4.0  # times the even density: how much closer samples may lie in the stretches that are chosen
    placing_rounds: int = 60  # steps of the search for where samples lie
    # inputs
    lines: int = 12  # sines in a multisine: enough that no parameter hides between them
    band_edges: int = 6  # frequencies between which bands are tried
    fastest_drive: float = 3.0  # of the model's own fastest rate: beyond, an inert system does not follow
    slowest_drive: float = 0.1  # of its slowest one
    crest_power: int = 32  # the last norm that stands for the peak while phases are searched
    crest_points: int = 16  # instants per period of the highest line: the peak between them is 2 % higher at most
    drive_points: int = 24  # pieces per shortest period of a smooth input: cubic pieces are then exact to 1e-5
    most_steps: int = 31  # levels in a sequence of steps: the integrator starts anew at each
    # the choice
    nearly: float = 0.05  # a simpler experiment whose errors are larger by no more than this is preferred
    worth_placing: float = 0.15  # how much smaller errors must become for samples in chosen stretches to be proposed
    hopeless: float = 1e3  # of a parameter's size: larger errors are all the same, and rounding tells them apart
    helps: float = 0.5  # a remedy is named if it brings the largest error to this much of what it was, or to the goal
    stronger: float = 2.0  # times as long or as far out: what is tried where nothing is known
    strengths: int = 3  # how often in turn
    sensor_noise: float = 0.01  # of the size of a state: how well a further sensor is supposed to measure it
    # the check
    fits: int = 30  # simulated records: a standard error is then known to 13 %


DESIGN = DesignSettings()
