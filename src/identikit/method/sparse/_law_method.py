"""What methods that find a law have in common: parameters where the law is the model's, the law itself elsewhere."""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

from identikit.method._base import Method, ObjectionError, too_few_samples
from identikit.method._early_end import not_applicable
from identikit.method.regression._regression import objections
from identikit.method.sparse._found_law import FoundLaw
from identikit.method.sparse._library import library_of
from identikit.method.sparse._own_law import own_law
from identikit.method.sparse._refinement import SEEKING, Asked, discovered, foreign_result, own_result
from identikit.problem import Problem
from identikit.progress import Progress, silent
from identikit.result import Finding, Result


class LawMethod(Method):
    """A method that finds a law first; it keeps `Discoverer` too."""

    @abstractmethod
    def law(
        self, problem: Problem, options: Mapping[str, Any], seed: int, progress: Progress, known: bool | None
    ) -> FoundLaw:
        """The law, its constants not yet refined; raises ObjectionError where there is none.

        `known`: None for an estimate, where every term of the model may be missing in the law; else as in `discover`.
        """

    def objections(self, problem: Problem) -> list[Finding]:
        found = too_few_samples(problem) + objections(problem)
        if found:
            return found
        try:
            library_of(problem, "model")  # what speaks against it speaks against every library
        except ObjectionError as error:
            return [error.finding]
        return []

    def discovery_options(self, options: Mapping[str, Any], known: bool) -> dict[str, Any]:
        """The options as they are meant where a law is asked for."""
        return dict(options)

    def estimate(
        self, problem: Problem, *, options: Mapping[str, Any], seed: int = 0, progress: Progress = silent
    ) -> Result:
        """Parameters in the model's own names where the law is the model's."""
        asked = Asked(self.name, options, seed, self.settings, time.perf_counter())
        try:
            law = self.law(problem, options, seed, progress.part(0.0, SEEKING, "solving"), None)
        except ObjectionError as error:
            return not_applicable(problem, self.name, [error.finding], options, seed)
        own = own_law(problem, law)
        refining = progress.part(SEEKING, 1.0, "refining")
        if own is None:
            return foreign_result(problem, law, asked, refining.of(()))
        return own_result(problem, law, own, asked, refining)

    def discover(
        self, problem: Problem, *, known: bool, options: Mapping[str, Any], seed: int = 0, progress: Progress = silent
    ) -> Result:
        """The law itself: see `Discoverer`."""
        settled = self.discovery_options(options, known)
        refused = self.objections(problem) if known else []
        if refused:
            return not_applicable(problem, self.name, refused, settled, seed)
        asked = Asked(self.name, settled, seed, self.settings, time.perf_counter())
        return discovered(problem, asked, lambda part: self.law(problem, settled, seed, part, known), progress)
