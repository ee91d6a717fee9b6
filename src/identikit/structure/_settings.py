"""Numbers that were chosen for structural analysis, each with a word."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class StructureSettings:
    """Of exact ranks, and of what is made of them."""

    points: int = 3  # random points at which ranks are taken: one would do but for accidents of some 1e-8
    tried_points: int = 64  # drawn at once, of which those with all roots are used: half of them for every square root
    most_tried_points: int = 2048  # where many roots leave few
    candidate_points: int = 4  # at which a combination must be unchanged to be named
    most_orders: int = 60  # derivatives: beyond, a model has more unknowns than anyone measures
    stalled_orders: int = 3  # derivatives without a gain after which there will be none; one would do in theory
    largest_tape: int = 20_000  # operations: beyond, an answer takes minutes
    # modes
    sampled_points: int = 400  # random states that show which sides of the switches occur together
    most_modes: int = 16  # combinations of sides that are analysed
    # combinations
    formula_points: int = 40  # at which a formula must be unchanged: more than it has terms
    most_factors: int = 30  # unknowns in a product of powers
    most_in_sums: int = 7  # unknowns up to which sums of products of two of them are looked for: 35 products
    largest_number: int = 24  # numerators and denominators in a combination or a symmetry that is named
    most_named: int = 8  # combinations named: more are not read
    # remedies
    most_together: int = 2  # values that have to be known together, of those listed
    most_remedies: int = 40  # listed
    # twins of linear systems
    twin_starts: int = 200  # side by side
    twin_decades: float = 1.5  # either way about the values, over which starts are spread
    twin_rounds: int = 50  # of damped Gauss-Newton steps
    twin_damping: float = 1e-2  # of the first
    twin_step: float = 1e-7  # relative, of finite differences
    twin_solved: float = 1e-9  # largest relative difference of what the output is determined by
    twin_floor: float = 1e-12  # of the largest of these: smaller ones are compared with it
    twin_rank: float = 1e-7  # least singular value, columns of length one, of parameters that are locally identifiable
    twin_apart: float = 1e-3  # relative distance of two solutions that are not the same


STRUCTURE = StructureSettings()
