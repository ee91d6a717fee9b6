"""Why two methods find different values on the same record, as far as their results show it."""

from __future__ import annotations

from identikit.result import Code, Finding, Result

IGNORES_RECORD = "estimate_ignores_record"

# what a method says of itself that explains why its estimate is off
TELLING = {
    IGNORES_RECORD: "its values follow from its bounds and options, whatever the record shows",
    "biased_by_noise": "noise biases the states that it is made from",
    "states_not_cleared": "its states could not be cleared of noise, which biases it",
    "bias_counted": "it is biased on simulated records like this one",
    "damping_law_doubtful": "the decay departs from the law that it goes by",
    "process_noise_ignored": "it does not count with the noise that moves the states",
    "other_explanation": "other values explain the record as well",
    "parts_disagree": "parts of the record ask for different values",
}


def likely_reason(result: Result, other: Result) -> str:
    """Why `other` differs from `result`, from status, findings and residuals of both; empty if these do not tell."""
    if any(item.code == IGNORES_RECORD for item in other.findings):
        return TELLING[IGNORES_RECORD]
    if result.status.code is Code.MISFIT:
        return "the model misses something in the record, which the two methods weigh differently"
    if other.status.code is not Code.OK:
        return f"its own check failed ({other.status.message.rstrip('.')})"
    coloured = [name for name, noise in result.noise.items() if noise.white is False or noise.memory]
    if coloured:
        return f"the residuals of {', '.join(coloured)} are coloured, which it takes for motion"
    told = _first(other.findings) or _first(result.findings)
    return TELLING[told.code] if told else ""


def _first(findings: tuple[Finding, ...]) -> Finding | None:
    return next((item for code in TELLING for item in findings if item.code == code), None)
