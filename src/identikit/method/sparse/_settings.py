"""Numbers that were chosen, each with a word; results echo them in their provenance."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SparseSettings:
    """Of libraries of terms, of the choice among them, and of what is said about it."""

    # library
    most_terms: int = 120  # in all equations together: beyond, rows and search take minutes
    # selection
    full_rounds: int = 8  # in which all terms together clear the states of noise
    noise_like: float = 1.2  # mean square of whitened residuals at which the states count as cleared
    truncated: float = 1e-5  # of the largest singular value: what all terms together leave undetermined is left alone
    rounds: int = 12  # of choosing terms and clearing the states with them in turn
    settled: float = 1.0  # change of the criterion, the terms being the same, that ends the rounds
    rounds_about: int = 2  # of clearing the states with a law that is given
    most_branches: int = 3000  # of the search among subsets in each round
    fewest_spare: int = 30  # rows beyond the terms from which these tell the noise level better than the curves do
    knots_per_term: float = 6.0  # at least, of test functions over all records
    usual_step: float = 0.9  # quantile of the steps between samples that knots are laid by: gaps are no steps
    fewest_rows: int = 8  # beyond the terms: fewer leave nothing to choose by
    samples_per_term: float = 3.0  # the same of measured values, for networks
    rows_per_term: float = 2.0  # below which polynomials of a lower degree are taken where nobody asked for theirs
    misfit: float = 2.0  # rms of whitened residuals beyond which the law does not describe the record
    # evidence
    margin: float = 10.0  # of the criterion above the best: rivals further off are not looked at
    as_good: float = 6.0  # of the same: odds of 20 to 1; nearer rivals cannot be told apart
    most_rivals: int = 8  # that are told
    replicates: int = 20  # of the record, of blocks drawn with replacement
    blocks: int = 16  # that a record is cut into for them
    collinear: float = 1e-4  # of the largest singular value of scaled columns: a direction below is hardly told
    takes_part: float = 0.2  # of such a direction: a term with a larger component belongs to the group
    # law
    own_value: float = 5.0  # standard errors: a known coefficient further from what was found contradicts the model
    held_out: float = 0.7  # of the record, after which the rest is predicted
    # discovery
    degree: int = 3  # of polynomials where nobody says otherwise
    first_order: float = 1.5  # rms of whitened residuals up to which a single column is a system of first order


SPARSE = SparseSettings()
