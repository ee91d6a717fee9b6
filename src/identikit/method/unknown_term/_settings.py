"""Numbers that were chosen, each with a word; results echo them in their provenance."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class NeuralOdeSettings:
    """Of a network that stands for an unknown term, of its training, and of the formula that is sought for it."""

    # network
    friction_units: int = 8  # hidden, of a friction over the speed: twelve follow no better, six miss a Stribeck bend
    steepest: float = 0.025  # of the largest speed: width of the steepest unit, below which a record hardly tells
    flattest: float = 1.0  # of the largest speed: width of the flattest unit; a flatter one would be viscous
    force_units: int = 8  # hidden, of a force over one state
    force_width: float = 2.0  # of the distance between units: width of each
    plane_units: int = 24  # hidden, of a force over several states
    plane_steepness: float = 2.5  # of such a unit, per half of a state's range
    most_variables: int = 3  # that a network may depend on: more are not covered by one record
    outermost: float = 0.001  # of the samples, at either end, that do not count as visited: ends of smooth curves swing
    projection_ridge: float = 1e-3  # relative, where the network first imitates the model's own term
    # training
    first_spread: float = 1.0  # of the spread of the rate: prior size of a weight where the model has no such term
    most_starts: int = 3  # starting values that are tried
    attempt_rounds: int = 60  # evaluations of one attempt
    patience: int = 3  # attempts more for one that has not settled
    joined: float = 1e-5  # widest gap, in units of the states' sizes, of segments that are one trajectory
    evidence_rounds: int = 8  # of the prior's size: each trains again, from where the last one ended
    evidence_settled: float = 0.05  # relative change of the prior's size below which it is settled
    undersmoothing: float = 4.0
    """By how much the last prior is wider: one as narrow as its evidence smooths bends away by more than the band."""
    least_determined: float = 0.5  # weights that a record determines at the least, in the formula for the prior's size
    largest_change: float = 10.0  # of the prior's size in one round
    # curve
    abscissae: int = 121  # of the learned curve, on each side of zero for a friction
    beyond: float = 0.1  # of the visited range that is shown beyond it, hatched
    # formula
    formula_points: int = 60  # of the curve that a formula is sought for
    most_formulas: int = 3  # that are tried by their trajectories
    longest_name: int = 14  # letters of a constant's name: longer ones, made of a whole function, are numbered
    as_good: float = 6.0  # difference of Schwarz's criterion up to which the simpler formula is taken
    worse: float = 3.0  # standard deviations of chi squared by which a formula may miss the network's own fit
    predicted_rounds: int = 40  # evaluations for the constants of the first part, from which the rest is predicted
    worth_a_word: float = (
        10.0  # times as uncertain as with the network fixed: a parameter that the network stands in for
    )

    rest_worth_a_word: float = 0.05  # of the record: a rest that is longer is told


NEURAL_ODE = NeuralOdeSettings()
