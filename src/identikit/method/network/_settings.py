"""Numbers that were chosen, each with a word; results echo them in their provenance."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PinnSettings:
    """Of windowed networks, and of the annealing that trains them."""

    # windows
    window: float = 0.5  # oscillations: what a network of `units` hidden units writes to a part in a million
    longest: float = 1.5  # of `window`: a half swing between two reversals that is longer is divided
    grid: int = 48  # points per window at which reversals are looked for
    fewest_grid: int = 50  # such points of a record
    most_grid: int = 200_000  # such points: half a second of evaluation
    surely_moving: float = 4.0  # standard errors of a switch's argument: a swing that stays below may be noise
    shortest: float = 0.1  # of a window: a swing that is surely there for less is noise at the record's end
    apart: float = 1e-6  # of a window: nodes that are nearer are one
    pause: float = 0.25  # of a window: a standstill that lasts longer is left out, since friction may hold there
    rough_input: float = 3e-4  # of an input's size: what polynomials of degree `input_degree` may miss in a window
    input_degree: int = 10  # of the polynomials that an input is compared with
    most_windows: int = 3000  # of a record: more take minutes
    # samples
    averaged: int = 48  # averages per window that its samples are reduced to; fewer samples are taken as they are
    # network
    units: int = 12  # hidden; 8 follow half a swing a hundred times less well at this steepness, 16 no better
    steepness: float = 1.5  # of a hidden unit's tanh, per window: at 3 they follow a hundred times less well
    points: int = 24  # of Gauss and Legendre per window; below 20 the residual hides between them
    chunk: int = 32  # windows per call of the kernel, which is compiled for this many
    precision: float = 1e-5  # of an output's spread: less noise than this is not told from errors of the networks
    least_size: float = 1e-6  # of the largest state: one that seems smaller is not known
    # annealing
    first_slack: float = 1e-3  # q at first: variance of the physics residual, in units of state per window
    slack_step: float = 1e-2  # from one stage to the next
    last_slack: float = 1e-9  # q at the end, unless the noise asks for less
    least_slack: float = 1e-13  # below, rounding decides
    noise_share: float = 0.003  # of the variance that noise leaves to a window's state: what the slack of all may add
    pinned: float = 0.1  # of sqrt(q): how far a switch's argument, or a known first state, may be off, over its size
    # training
    first_damping: float = 1e-3  # of a training
    stage_damping: float = 1e-8  # of a later stage: more would keep nodes from moving along the valley of the physics
    relief: float = 0.1  # of the damping after a step that succeeds
    increase: float = 4.0  # of the damping after one that fails; squared after the next
    patience: int = 4  # rounds before a stage may be called futile
    most_damping: float = 1e8  # beyond, no step would help
    least_damping: float = 1e-12  # rounding
    weight_floor: float = 0.1  # of the mean diagonal: the least curvature that a weight's damping assumes
    ridge: float = 1e-14  # of the mean diagonal: keeps weights that nothing determines where they are
    node_shift: float = 0.2  # of a window: the most that a reversal moves in one step
    rounds: int = 30  # of a stage
    last_rounds: int = 40  # of the last one
    settled: float = 0.5  # of chi squared: a stage ends with a smaller decrease
    last_settled: float = 0.002  # the same in the last stage: a twentieth of a standard error
    strained: float = 4.0  # chi squared that the physics costs a window: more, and its network is too small
    last_strained: float = 0.05  # the same in the last stage, where slack explains no noise any more
    at_fault: float = 0.1  # of the most that it costs any window: those that are halved
    futile: float = 0.05  # of what strained windows cost: a stage ends with a smaller decrease, since they are halved
    most_divisions: int = 12  # times that strained windows are halved
    helpful: float = 0.7  # of the physics' cost in a stage: where halving leaves more, the model is at fault
    most_growth: int = 12  # times as many windows as at first
    back: int = 1  # the stage in which new networks, which begin from a cubic, find some slack again
    obeyed: float = 1.0  # chi squared of the physics in any window up to which networks obey the equations at the end
    # result
    most_starts: int = 4  # starting values that are tried
    same_end: float = 1e-3  # of a parameter: two starts that end as near to each other need no third
    twin_pairs: int = 6  # of simulated twins: each costs a whole training, of a fraction of a second
    worth_a_word: float = 0.05  # of the record: a rest that is longer is told
    noise_like: float = 1.3  # chi squared per value up to which a record counts as explained


PINN = PinnSettings()
