"""The one rule by which a result's status follows from the method's own verdict and from the check of its estimate.

Two witnesses speak about an estimate. The method says how its own work ended (`Verdict`). The check says what the curve
that belongs to the estimate leaves over and what its sensitivities tell; for shooting and galerkin that curve is what
the method itself ended with, so their verdict is read off the check.

1. A method that was stopped or failed is `not_converged`, one whose own equations leave parameters undetermined
   `not_identifiable`: no check can mend that.
2. A check that was stopped is `not_converged`.
3. A curve that does not follow the record is `not_converged`, unless the method is CONFIRMED by its own equations: a
   trajectory of chaotic motion departs from the record however good the parameters are. Then the status is `ok`, and
   what the check refused is a warning.
4. A fit that explains little and leaves a pattern, or no more than chance does, or whose parameters differ from part to
   part of the record, is a `misfit`: the model does not describe the record. CONFIRMED counts as in 3.
5. Only of a model that does, parameters that the record cannot tell are `not_identifiable`; they come before 3 where
   the residuals are white, since what cannot be told may keep an iteration from settling.
6. All else is `ok`.

So a status is `ok` exactly if no finding is a refusal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from identikit.method._settings import JUDGEMENT
from identikit.result import (
    Code,
    Ending,
    Finding,
    FitQuality,
    NoiseFound,
    Severity,
    Status,
    Verdict,
    finding,
    joined,
    of_severity,
)

_CODES = {
    Ending.STOPPED: Code.NOT_CONVERGED,
    Ending.FAILED: Code.NOT_CONVERGED,
    Ending.AMBIGUOUS: Code.NOT_IDENTIFIABLE,
}
_MISFITS = ("poor_fit", "unexplained_pattern", "unsteady_parameter")  # that say: the model does not describe the record
SOLVED = Verdict(Ending.CONVERGED)
STOPPED_EARLY = finding("stopped_early", "stopped on request; these are the best values so far")
STOPPED = Verdict(Ending.STOPPED, (STOPPED_EARLY,))


def iterated(what: str, converged: bool, stopped: bool) -> Verdict:
    """The verdict on a fit of the method's own, to `what` it takes from a decay."""
    if stopped or converged:
        return STOPPED if stopped else SOLVED
    text = (
        f"the fit of the {what} did not settle: the model may not describe this decay; look at the plot, or fix "
        "parameters you know"
    )
    return Verdict(Ending.FAILED, (finding("not_settled", text),))


@dataclass(frozen=True)
class Check:
    """What the curve that belongs to an estimate says.

    Arguments:
        converged, stopped: how the iteration that gave the curve ended.
        untold: refusals about parameters that the record cannot tell.
        quality, noise: per output.
        by_chance: the curve explains no more than as many unknowns explain of noise alone.
        misfit: refusals that say why the model does not describe the record.
    """

    converged: bool
    stopped: bool
    untold: tuple[Finding, ...]
    quality: Mapping[str, FitQuality]
    noise: Mapping[str, NoiseFound]
    by_chance: bool = False
    misfit: tuple[Finding, ...] = ()

    @property
    def lost(self) -> bool:
        """Whether the curve does not come to follow the record."""
        explained = all(item.white for item in self.noise.values())
        return not self.converged and not (self.untold and explained)

    @property
    def poor(self) -> tuple[str, ...]:
        """Outputs of which little is explained. What is left may be noise, however much, if something is explained."""
        return tuple(
            name
            for name, item in self.quality.items()
            if item.fit_percent < JUDGEMENT.poor_fit and (self.by_chance or self.noise[name].white is False)
        )


def decide(verdict: Verdict | None, check: Check) -> tuple[Verdict, Status, tuple[Finding, ...]]:
    """The method's verdict, the status, and the findings that make it; `verdict` None: as the check says."""
    if verdict is None:
        return _by_own_curve(check)
    if verdict.code in _CODES:
        said = {(item.code, name) for item in verdict.findings for name in item.about}
        news = [item for item in check.untold if not any((item.code, name) in said for name in item.about)]
        findings = (*verdict.findings, *news)
        return verdict, Status(_CODES[verdict.code], _message(findings)), findings
    refused = _refused(check, "not_followed", "no trajectory of the model with these values follows the record: ")
    off = bool(refused) and refused[0].code in ("not_followed", *_MISFITS)
    if not off or verdict.code is not Ending.CONFIRMED:
        return verdict, _status(refused), (*verdict.findings, *refused)
    text = (
        "no single trajectory of the model follows the whole record, as is usual for chaotic motion, so the quality of "
        "the fit and the Cramer-Rao bound say little here: refine with shooting"
    )
    lowered = (replace(item, severity=Severity.WARNING) for item in check.untold)
    findings = (*verdict.findings, finding("not_followed_though_confirmed", text), *lowered)
    return verdict, Status(Code.OK, joined(findings)), findings


def _by_own_curve(check: Check) -> tuple[Verdict, Status, tuple[Finding, ...]]:
    refused = _refused(check, "not_settled", "the iteration did not settle: ")
    ending = Ending.STOPPED if check.stopped else Ending.CONVERGED if check.converged else Ending.FAILED
    own = tuple(item for item in refused if item.code in ("stopped_early", "not_settled"))
    return Verdict(ending, own), _status(refused), refused


def _refused(check: Check, code: str, text: str) -> tuple[Finding, ...]:
    """The check's refusals, the one that decides first; `code` and `text` say that the curve is lost."""
    if check.stopped:
        return (STOPPED_EARLY, *check.untold)
    if check.lost:
        advice = (
            "the model may not describe it, or the start was too far off; look at the plot, give starting values, or "
            "fix parameters you know"
        )
        return (finding(code, text + advice), *check.untold)
    if check.poor:
        outputs = ", ".join(f"{name} ({check.quality[name].fit_percent:.0f} %)" for name in check.poor)
        words = (
            f"the iteration settled on a fit that explains little of {outputs}: it may be a wrong minimum "
            "or the wrong model for this record; look at the plot, or give starting values"
        )
        return (finding("poor_fit", words, *check.poor), *check.untold)
    return (*check.misfit, *check.untold) if check.misfit else check.untold


def _status(refused: tuple[Finding, ...]) -> Status:
    if not refused:
        return Status(Code.OK, "converged")
    lost = refused[0].code in ("stopped_early", "not_settled", "not_followed")
    fitted = Code.MISFIT if refused[0].code in _MISFITS else Code.NOT_IDENTIFIABLE
    return Status(Code.NOT_CONVERGED if lost else fitted, _message(refused))


def _message(findings: tuple[Finding, ...]) -> str:
    return joined(of_severity(findings, Severity.REFUSAL))
