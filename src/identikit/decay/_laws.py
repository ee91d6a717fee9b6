"""Fit every law of damping to one decay, with one compiled kernel.

A law is a set of mechanisms. All laws are the same problem with the same free parameters; those of a mechanism that a
law does not have are pinned at zero. So records are smoothed once and the integrator is compiled once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import combinations, islice

import numpy as np

from identikit.decay._settings import RANKING
from identikit.decay._work import amplitude_loss, work
from identikit.likelihood import Layout, Outcome, Preparation, SegmentModel, log_likelihood, parts_agreement
from identikit.method import Misfit, residual_tests
from identikit.method.multiple_shooting import Start, search
from identikit.oscillation import (
    MECHANISMS,
    AmplitudeCurve,
    AmplitudeLoss,
    DampedModel,
    amplitude_curve,
    amplitude_rates,
)
from identikit.problem import Problem
from identikit.progress import Progress, silent
from identikit.result import Finding

LAWS: tuple[tuple[str, ...], ...] = tuple(law for size in range(4) for law in combinations(MECHANISMS, size))


@dataclass(frozen=True)
class LawFit:
    """One law at its best: parameters in the order of `problem.free`, and what the iteration ended with."""

    law: tuple[str, ...]
    outcome: Outcome
    pinned: tuple[str, ...]

    @property
    def p(self) -> np.ndarray:
        return self.outcome.p

    @property
    def nodes(self) -> np.ndarray:
        return self.outcome.nodes

    @property
    def converged(self) -> bool:
        return self.outcome.converged

    @property
    def layout(self) -> Layout:
        return self.outcome.layout

    @property
    def residual(self) -> np.ndarray:
        """Measured minus modelled [samples of all records, outputs]."""
        return self.outcome.residual

    @property
    def misfit(self) -> float:
        """-2 log likelihood with the noise at its best, but never finer than the integrator is."""
        finest = RANKING.finest * np.nanstd(self.outcome.iteration.segments.measured, axis=0)
        return -2 * float(log_likelihood(self.residual, np.hypot(self.outcome.sigma, finest)))

    @property
    def rank(self) -> tuple[bool, float]:
        """Smaller is better."""
        return not self.converged, self.misfit

    @property
    def unknowns(self) -> int:
        """Parameters that the law estimates, initial states not counted: all laws have the same."""
        return len(self.p) - len(self.pinned)


@dataclass(frozen=True)
class Following:
    """A start for a law: parameters, nodes of segments, and the rms that it will miss the record by."""

    p: np.ndarray
    nodes: np.ndarray
    layout: Layout
    missed: float


@dataclass(frozen=True)
class LawStart:
    """Where a fit of the law with every mechanism ended: free parameters, nodes of segments, noise of the outputs."""

    p: np.ndarray
    nodes: np.ndarray
    layout: Layout
    sigma: np.ndarray


@dataclass(frozen=True)
class Fall:
    """How the amplitude falls by the law with every mechanism: along every record, about which position of rest, and
    what each mechanism takes of it."""

    envelopes: list[AmplitudeCurve]
    rest: float
    loss: AmplitudeLoss


class DecayFits:
    """The laws of one decay; `problem` has the parameters of all mechanisms free."""

    def __init__(self, problem: Problem, damped: DampedModel, preparation: Preparation) -> None:
        self.problem = problem
        self.damped = damped
        self.preparation = preparation
        self._falls: list[tuple[LawFit, Fall | None]] = []

    def all_together(self, candidates: Iterable[Start], progress: Progress = silent) -> LawFit | None:
        """The law with every mechanism, searched from the given starts.

        One that follows the record closely from the first start is the end of the search, noise or not: a trajectory
        that has lost count of the oscillations leaves as much over as there is.
        """
        source = iter(candidates)
        found = search(self.preparation, islice(source, 1), progress.part(0.0, 0.4))
        if found is None or not ((found.outcome.converged and self._follows(found.outcome)) or progress.stopped):
            further = search(self.preparation, source, progress.part(0.4, 1.0))
            ends = [item for item in (found, further) if item is not None]
            found = min(ends, key=lambda item: LawFit(MECHANISMS, item.outcome, ()).rank, default=None)
        return None if found is None else LawFit(MECHANISMS, found.outcome, ())

    def continued(self, begun: LawStart, progress: Progress = silent) -> LawFit | None:
        """The law with every mechanism from where another fit of it ended; None if that is no fit here."""
        solver = replace(self.preparation, layout=begun.layout).solver(begun.nodes)
        outcome = solver.run(begun.p, begun.nodes, begun.sigma, progress, RANKING.first_tether, grows=False)
        settled = outcome is not None and outcome.converged and self._follows(outcome)
        return LawFit(MECHANISMS, outcome, ()) if outcome is not None and settled else None

    def _follows(self, outcome: Outcome) -> bool:
        spread = np.nanstd(outcome.iteration.segments.measured, axis=0)
        return bool((outcome.sigma < RANKING.follows * spread).all())

    def of(self, law: tuple[str, ...], whole: LawFit, progress: Progress = silent) -> LawFit | None:
        """One law, from the fit with every mechanism."""
        pinned = (*whole.pinned, *self._without(law))
        begun = self._following(law, whole) or Following(whole.p, whole.nodes, whole.layout, np.inf)
        # the amplitude says how well the law can do; a motion that sticks too early has minima of its own
        expected = RANKING.as_expected * float(np.hypot(begun.missed, whole.outcome.sigma[0]))
        return self._settled(self.preparation, begun, law, pinned, whole.outcome.sigma, expected, progress)

    def in_segments(self, fit: LawFit, whole: LawFit) -> Outcome | None:
        """A fitted law once more in segments; None where they do not come to one trajectory."""
        begun = self._following(fit.law, whole)
        if begun is None:
            return None
        solver = replace(self.preparation, layout=begun.layout).solver(begun.nodes, pinned=self._zeros(fit.pinned))
        rounds = RANKING.most_rounds
        outcome = solver.run(fit.p, begun.nodes, fit.outcome.sigma, silent, RANKING.first_tether, False, rounds)
        return outcome if outcome is not None and outcome.converged else None

    def frozen(self, law: tuple[str, ...], p: np.ndarray) -> LawFit | None:
        """The trajectory that parameters from elsewhere imply: only the initial states are fitted."""
        pinned = self._without(law)
        nodes = self.preparation.nodes(p)
        solver = self.preparation.solver(nodes, frozen=True, pinned=self._zeros(pinned))
        outcome = solver.run(p, nodes, self.preparation.sigma, silent, grows=False)
        return None if outcome is None else LawFit(law, outcome, pinned)

    def reduced(self, problem: Problem, law: tuple[str, ...]) -> Problem:
        """The problem with the parameters of other mechanisms fixed at zero rather than pinned there."""
        return problem.fixed_at(dict.fromkeys(self._without(law), 0.0))

    def predicted(
        self, fit: LawFit, whole: LawFit, progress: Progress = silent, frozen_at: np.ndarray | None = None
    ) -> np.ndarray | None:
        """Errors [samples, outputs] of the law where it was not fitted: the end of every record, NaN elsewhere.

        The law is fitted anew to the first part of every record and continued. With `frozen_at`, parameters that
        another method found in the first part, only the initial states are fitted.
        """
        training = self.problem.unmeasured_after(RANKING.trained)
        begun = self._following(fit.law, whole, RANKING.trained)
        if begun is None:
            return None
        begun = begun if frozen_at is None else replace(begun, p=frozen_at)
        preparation = replace(self.preparation, problem=training)
        held, sigma = frozen_at is not None, fit.outcome.sigma
        trained = self._settled(preparation, begun, fit.law, fit.pinned, sigma, np.inf, progress, frozen=held)
        if trained is None or not trained.converged:
            return None
        segments = trained.outcome.iteration.segments
        complete = SegmentModel(self.problem, segments.layout, segments.tolerance, segments.scale)
        evaluation = complete(trained.p, trained.nodes)
        if not evaluation.ok:
            return None
        unseen = np.isfinite(np.concatenate([r.values for r in self.problem.records])) & ~np.isfinite(
            np.concatenate([r.values for r in training.records])
        )
        return np.where(unseen, evaluation.residual, np.nan)

    def first_part(self) -> Problem:
        """The problem with every record cut off where the training ends."""
        return self.problem.split(RANKING.trained)[0]

    def modelled(self, fit: LawFit) -> list[np.ndarray]:
        """What the law says [samples, outputs] for every record, NaN where nothing was measured."""
        ends = np.cumsum([len(record.time) for record in self.problem.records])
        parts = np.split(fit.residual, ends[:-1])
        return [record.values - part for record, part in zip(self.problem.records, parts, strict=True)]

    def work(self, p: np.ndarray) -> dict[str, float]:
        """Energy over inertia that each mechanism takes in all records at free parameters p."""
        return work(self.problem, self.damped, self.preparation, p)

    def envelopes(self, fit: LawFit) -> list[AmplitudeCurve | None]:
        """Amplitudes of the law in every record, of the first output."""
        found = []
        for record, values in zip(self.problem.records, self.modelled(fit), strict=True):
            known = np.isfinite(values[:, 0])
            found.append(amplitude_curve(record.time[known], values[known, 0]))
        return found

    def fall(self, whole: LawFit) -> Fall | None:
        """What `whole` says of the amplitude, computed once; None where a record has too few swings."""
        if not any(fit is whole for fit, _ in self._falls):
            self._falls.append((whole, self._fall(whole)))
        return next(fall for fit, fall in self._falls if fit is whole)

    def _fall(self, whole: LawFit) -> Fall | None:
        problem, damped = self.problem, self.damped
        envelopes = [item for item in self.envelopes(whole) if item is not None]
        if len(envelopes) < len(problem.records):
            return None
        rest = damped.rest(float(whole.nodes[:, damped.position].mean()), problem.vector(whole.p))
        loss = amplitude_loss(problem, damped, self.preparation, whole.p, rest, envelopes)
        return Fall(envelopes, rest, loss)

    def _without(self, law: tuple[str, ...]) -> tuple[str, ...]:
        """The parameters of the mechanisms that a law does not have."""
        return tuple(
            name
            for mechanism, names in self.damped.parameters.items()
            for name in names
            if mechanism not in law and name in self.problem.free
        )

    def _zeros(self, pinned: tuple[str, ...]) -> dict[int, float]:
        """Parameters that stay at zero, by their place among the free ones."""
        return {self.problem.free.index(name): 0.0 for name in pinned}

    def _settled(
        self,
        preparation: Preparation,
        begun: Following,
        law: tuple[str, ...],
        pinned: tuple[str, ...],
        sigma: np.ndarray,
        expected: float,
        progress: Progress,
        frozen: bool = False,
    ) -> LawFit | None:
        """The fit from a start near its end: as one trajectory per record, in segments if that does not lead there."""
        # without damping nothing but the beginning is left to fit: the frequency is known better from the whole law
        frozen = frozen or not law
        low, high = self.problem.limits
        p = begun.p if frozen and law else np.clip(begun.p, low, high)
        if not (frozen and law):
            p[list(self._zeros(pinned))] = 0.0
        preparation = replace(preparation, layout=begun.layout)
        one, first = begun.layout.grown(len(begun.nodes))
        best: LawFit | None = None
        alone = replace(preparation, layout=one, tolerance=preparation.tolerance * RANKING.finer)
        attempts = progress.attempts()
        for chosen, nodes in ((alone, begun.nodes[first]), (preparation, begun.nodes)):
            solver = chosen.solver(nodes, frozen, self._zeros(pinned))
            outcome = solver.run(p, nodes, sigma, next(attempts), RANKING.first_tether, False, RANKING.most_rounds)
            if outcome is not None and outcome.widest_gap > RANKING.gap:
                # what is left over is counted along one trajectory, for every law alike
                solver = alone.solver(outcome.nodes[first], frozen, self._zeros(pinned))
                closed = solver.run(outcome.p, outcome.nodes[first], sigma, silent, most_rounds=RANKING.closing_rounds)
                outcome = closed
            fit = None if outcome is None else LawFit(law, outcome, tuple(dict.fromkeys(pinned)))
            if fit is not None and (best is None or fit.rank < best.rank):
                best = fit
            if best is not None and best.converged and best.outcome.sigma[0] <= expected:
                break
        return best

    def _following(self, law: tuple[str, ...], whole: LawFit, share: float = 1.0) -> Following | None:
        """A start that follows the whole law's amplitude in the first `share` of every record, as well as a law can."""
        problem, damped = self.problem, self.damped
        fall = self.fall(whole)
        if fall is None:
            return None
        envelopes, rest = fall.envelopes, fall.rest
        found, amplitudes = amplitude_rates(envelopes, law, fall.loss, share)
        p = whole.p.copy()
        for mechanism, names in damped.parameters.items():
            places = [problem.free.index(name) for name in names if name in problem.free]
            for i in places:
                p[i] = found.get(mechanism, 0.0) / len(places)
        nodes = whole.nodes.copy()
        layout = whole.layout
        for index, (item, amplitude) in enumerate(zip(envelopes, amplitudes, strict=True)):
            own = layout.of_chain(index)
            ratio = np.interp(layout.begin[own], item.time, amplitude / item.amplitude)
            nodes[own, damped.position] = rest + ratio * (whole.nodes[own, damped.position] - rest)
            nodes[own, damped.velocity] *= ratio
        short = np.concatenate([a - item.amplitude for a, item in zip(amplitudes, envelopes, strict=True)])
        return Following(p, nodes, layout, float(np.sqrt(np.mean(short**2) / 2)))


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
