"""Numbers that were chosen, each with a word; results echo them in their provenance."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ExpressionSettings:
    """Of the search among expressions, of shapes with inner constants, and of the choice among formulas."""

    # search
    search_samples: int = 1500  # that the search is given at most, evenly taken: more only take longer
    ends: float = 0.01  # of a record's length, at both ends: smooth curves bend freely there
    searches: int = 3  # at most, each for what the law so far leaves over
    beyond_chance: float = 4.0  # standard deviations of a mean square: residuals above are more than noise
    population: int = 200  # expressions
    generations: int = 40  # in all
    pieces: int = 4  # that the generations are cut into, to be asked between them whether to stop
    longest: int = 15  # nodes of an expression
    local_steps: int = 5  # of the search's own fit of constants, for every expression
    highest_power: int = 4  # of a product that becomes a candidate term, all its factors together
    sizeable: float = 1e-3  # of the target's rms: a product that contributes less in an expression is not counted
    front_votes: int = 10  # that an expression of the front counts as, one of the population being one
    frequent_terms: int = 12  # products that become candidates
    # shapes
    scales: int = 7  # starting values of an inner constant
    least_scale: float = 0.02  # of a column's largest value: smallest start of a constant that it is divided by
    largest_scale: float = 1.5  # of the same: largest start
    outermost_scale: float = 20.0  # factor beyond these starts at which a constant has run away
    refined_starts: int = 2  # starting values, the best ones, from which all constants are refined
    rounds: int = 4  # of choosing functions and refining constants in turn
    most_inner: int = 2  # constants inside the functions of one formula
    # laws with shapes
    replaceable: int = 2  # terms of an equation that a shape may stand for: it has a factor and a constant inside
    scanned: int = 40  # functions that are scanned at once
    found_starts: float = 2.5  # factor between the starting values of an inner constant that a search found
    tried_shapes: int = 3  # of every equation, whose trajectories are looked at
    most_rounds: int = 60  # of the fit of one trajectory: a law that needs more is not compared
    alike: float = 0.05  # of the criterion: laws that are nearer, with as many constants, are one in two guises
    front_prices: int = 16  # of a term, at each of which the best law of products is a point of the front
    # formulas of a curve
    curve_samples: int = 3000  # that constants are fitted to at most
    most_formulas: int = 12  # that are told


EXPRESSION = ExpressionSettings()
