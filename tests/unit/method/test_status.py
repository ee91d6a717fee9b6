"""The status follows from the method's own verdict and from the check of its estimate, by one rule."""

from __future__ import annotations

from dataclasses import replace

import pytest

from identikit.method._status import Check, decide
from identikit.method.toolkit import SOLVED, STOPPED
from identikit.result import Code, Ending, FitQuality, NoiseFound, Severity, Verdict, finding

WHITE, COLOURED = {"x": NoiseFound(0.1, True)}, {"x": NoiseFound(0.1, False)}
GOOD, POOR = {"x": FitQuality(0.1, 95.0, 99.0)}, {"x": FitQuality(0.1, 30.0, 50.0)}
UNTOLD = (finding("inseparable", "a and b cannot be told apart", "a", "b"),)
UNSTEADY = (finding("unsteady_parameter", "c is 0.1 in the first part and 0.3 in the last", "c"),)

FINE = Check(True, False, (), GOOD, WHITE)
LOST = replace(FINE, converged=False)
STOPPED_CHECK = replace(FINE, stopped=True, converged=False)
MISFIT = replace(FINE, quality=POOR, noise=COLOURED)
AMBIGUOUS = replace(FINE, untold=UNTOLD)

CONFIRMED = Verdict(Ending.CONFIRMED, (finding("balance_holds", "the balance of energy holds up to noise"),))
FAILED = Verdict(Ending.FAILED, (finding("not_settled", "the fit of the envelope did not settle"),))
OWN_AMBIGUITY = Verdict(Ending.AMBIGUOUS, UNTOLD)


@pytest.mark.parametrize(
    ("verdict", "check", "status", "first"),
    [
        (None, FINE, Code.OK, None),
        (None, LOST, Code.NOT_CONVERGED, "not_settled"),
        (None, STOPPED_CHECK, Code.NOT_CONVERGED, "stopped_early"),
        (None, MISFIT, Code.MISFIT, "poor_fit"),
        (None, replace(MISFIT, noise=WHITE), Code.OK, None),  # what is left over is noise, however much of it
        (None, replace(MISFIT, noise=WHITE, by_chance=True), Code.MISFIT, "poor_fit"),  # if all of it is
        (None, replace(FINE, misfit=UNSTEADY), Code.MISFIT, "unsteady_parameter"),
        (None, replace(AMBIGUOUS, misfit=UNSTEADY), Code.MISFIT, "unsteady_parameter"),  # identifiability comes after
        (None, replace(MISFIT, untold=UNTOLD), Code.MISFIT, "poor_fit"),
        (CONFIRMED, replace(FINE, misfit=UNSTEADY), Code.OK, None),
        (None, AMBIGUOUS, Code.NOT_IDENTIFIABLE, "inseparable"),
        (None, replace(AMBIGUOUS, converged=False), Code.NOT_IDENTIFIABLE, "inseparable"),
        (None, replace(AMBIGUOUS, converged=False, noise=COLOURED), Code.NOT_CONVERGED, "not_settled"),
        (SOLVED, FINE, Code.OK, None),
        (SOLVED, LOST, Code.NOT_CONVERGED, "not_followed"),
        (SOLVED, MISFIT, Code.MISFIT, "poor_fit"),
        (SOLVED, AMBIGUOUS, Code.NOT_IDENTIFIABLE, "inseparable"),
        (STOPPED, FINE, Code.NOT_CONVERGED, "stopped_early"),
        (FAILED, FINE, Code.NOT_CONVERGED, "not_settled"),
        (FAILED, LOST, Code.NOT_CONVERGED, "not_settled"),
        (OWN_AMBIGUITY, FINE, Code.NOT_IDENTIFIABLE, "inseparable"),
        (OWN_AMBIGUITY, LOST, Code.NOT_IDENTIFIABLE, "inseparable"),
        (CONFIRMED, LOST, Code.OK, None),
        (CONFIRMED, MISFIT, Code.OK, None),
        (CONFIRMED, STOPPED_CHECK, Code.NOT_CONVERGED, "stopped_early"),
        (CONFIRMED, AMBIGUOUS, Code.NOT_IDENTIFIABLE, "inseparable"),
        (CONFIRMED, replace(AMBIGUOUS, converged=False, noise=COLOURED), Code.OK, None),
    ],
)
def test_the_status_follows_from_both_witnesses(
    verdict: Verdict | None, check: Check, status: Code, first: str | None
) -> None:
    own, found, findings = decide(verdict, check)
    assert found.code is status
    refusals = [item for item in findings if item.severity is Severity.REFUSAL]
    assert (found.code is Code.OK) == (not refusals)
    assert (refusals[0].code if refusals else None) == first
    assert verdict is None or own == verdict


def test_without_a_verdict_of_its_own_a_method_ended_as_its_curve_did() -> None:
    assert [decide(None, check)[0].code for check in (FINE, LOST, STOPPED_CHECK, MISFIT)] == [
        Ending.CONVERGED,
        Ending.FAILED,
        Ending.STOPPED,
        Ending.CONVERGED,
    ]


def test_what_the_method_and_the_check_both_say_is_said_once() -> None:
    _, status, findings = decide(OWN_AMBIGUITY, AMBIGUOUS)
    assert [item.code for item in findings] == ["inseparable"]
    assert status.message.count("told apart") == 1
    other = replace(AMBIGUOUS, untold=(finding("no_effect", "nothing depends on c", "c"),))
    assert [item.code for item in decide(OWN_AMBIGUITY, other)[2]] == ["inseparable", "no_effect"]  # negative control
