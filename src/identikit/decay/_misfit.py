"""Does the likeliest law describe the record? The same verdict as that of a fit."""

from __future__ import annotations

from identikit.decay._laws import DecayFits, LawFit
from identikit.likelihood import parts_agreement
from identikit.method import Misfit, residual_tests
from identikit.result import Finding


def misfit_refusals(fits: DecayFits, fit: LawFit, whole: LawFit) -> tuple[Finding, ...]:
    """Why nobody should quote the numbers of a law; empty if one may.

    The parts of the record are asked with the law in segments: along one trajectory nothing can be cut.
    """
    problem = fits.problem
    noise, quality, _ = residual_tests(problem, fit.residual, fit.outcome.sigma)
    misfit = Misfit.of(problem, fits.preparation.sigma, noise, quality)
    if not misfit.pattern:
        return ()
    cut = whole.outcome if fit.law == whole.law else fits.in_segments(fit, whole)
    agreement = None if cut is None else parts_agreement(cut, suspected=True)
    return misfit.refusals(problem, fit.p, agreement)
