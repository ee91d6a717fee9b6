"""From answers to a verdict: whom to trust most, who agrees with it, who is off and why."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from identikit.comparison._agreement import Difference, compared, shifts, threshold
from identikit.comparison._answer import Answer
from identikit.comparison._settings import COMPARISON
from identikit.comparison._words import verdict_words
from identikit.method import likely_reason
from identikit.problem import Problem
from identikit.result import (
    Code,
    Finding,
    MethodEntry,
    ParameterEstimate,
    Result,
    Severity,
    Status,
    finding,
    listed,
    of_severity,
)

# from the best ending to the worst
TRUST = (Code.OK, Code.NOT_IDENTIFIABLE, Code.MISFIT, Code.NOT_CONVERGED)
IGNORES_RECORD = "estimate_ignores_record"  # the finding that says so


@dataclass(frozen=True)
class Judgement:
    """What comes of comparing."""

    status: Status
    sentences: tuple[str, ...]
    reference: str | None
    crlb: Mapping[str, float]
    entries: tuple[MethodEntry, ...]
    result: Result | None
    findings: tuple[Finding, ...]


@dataclass(frozen=True)
class Seen:
    """An answer and its place beside the reference: `same` if it ends at the same values as that."""

    answer: Answer
    entry: MethodEntry
    differences: tuple[Difference, ...] = ()
    same: bool = False


def judged(problem: Problem, answers: Sequence[Answer], truth: Mapping[str, float]) -> Judgement:
    """Compare what methods answered, in the order given."""
    entries = [_entry(answer) for answer in answers]
    best = _reference(problem, answers)
    if best is None or best.result is None:
        text = "no method came to an estimate that rests on the record"
        said = finding("no_method_answered", text)
        words = (f"{text[0].upper()}{text[1:]}.",)
        return Judgement(Status(_worst(entries), text), words, None, {}, tuple(entries), None, (said,))
    own = _free(best.result)
    crlb = {name: item.crlb for name, item in own.items() if item.crlb is not None and math.isfinite(item.crlb)}
    differences = {a.method: compared(own, _free(a.result)) for a in answers if a is not best and a.result is not None}
    limit = threshold(sum(map(len, differences.values())))
    left = {name: item.rmse for name, item in best.result.fit.items() if item.rmse > 0}
    seen = []
    for answer, entry in zip(answers, entries, strict=True):
        found = tuple(differences.get(answer.method, ()))
        entry = replace(entry, error_over_crlb=_errors(entry, truth, crlb), held_out=_held_out(answer, left))
        if answer is not best:
            entry = _beside(entry, answer, best.result, found, limit)
        same = bool(found) and all(item.is_none for item in found)
        seen.append(Seen(answer, entry, found, same))
    said_words, findings = verdict_words(best, seen, truth, limit)
    status = best.result.status
    if status.code is Code.OK:
        status = Status(Code.OK, said_words[0].rstrip("."))
    return Judgement(
        status, said_words, best.method, crlb, tuple(item.entry for item in seen), best.result, tuple(findings)
    )


def _entry(answer: Answer) -> MethodEntry:
    """What a method says for itself."""
    result = answer.result
    if result is None:
        code = Code.NOT_APPLICABLE if answer.objects else Code.NOT_CONVERGED
        objections = (answer.failure,) if answer.objects else ()
        return MethodEntry(answer.method, answer.title, code, answer.failure, objections)
    refused = of_severity(result.findings, Severity.REFUSAL)
    applies = result.status.code is not Code.NOT_APPLICABLE
    free = _free(result)
    known = any(item.value is not None for item in free.values())
    return MethodEntry(
        answer.method,
        answer.title,
        result.status.code,
        result.status.message,
        () if applies else tuple(item.text for item in refused) or (result.status.message,),
        free if known else {},
        seconds=answer.seconds,
        fit_percent={name: item.fit_percent for name, item in result.fit.items() if math.isfinite(item.fit_percent)},
        not_predicted=answer.unpredicted,
    )


def _free(result: Result) -> dict[str, ParameterEstimate]:
    return {name: result.parameters[name] for name in result.free}


def _worst(entries: Sequence[MethodEntry]) -> Code:
    """Not applicable if that is all there is to say."""
    every = all(item.status is Code.NOT_APPLICABLE for item in entries)
    return Code.NOT_APPLICABLE if every else Code.NOT_CONVERGED


def _reference(problem: Problem, answers: Sequence[Answer]) -> Answer | None:
    """The answer to trust most.

    Its check holds; it counts with process noise exactly if the problem has some; it states intervals of all
    parameters; it is where the likelihood is largest; and among equals its standard errors are the smallest.
    """
    candidates = [a for a in answers if a.result is not None and _rests_on_record(a.result) and _values(a.result)]
    asked = [a for a in candidates if bool(problem.process) is a.counts_process_noise]
    least = min((_size(a) for a in asked if a.result is not None and a.result.ok), default=math.inf)

    def order(answer: Answer) -> tuple[float, ...]:
        assert answer.result is not None
        code = answer.result.status.code
        # what speaks against the likeliest estimate speaks against all others, unless it has gone astray
        settled = code in (Code.NOT_IDENTIFIABLE, Code.MISFIT)
        honest = settled and answer.likeliest and _size(answer) <= COMPARISON.astray * least
        stds = [item.std for item in _free(answer.result).values() if item.std]
        return (
            TRUST.index(Code.OK if honest else code),
            answer not in asked,
            -len(stds),
            not answer.likeliest,
            sum(map(math.log, stds)),
        )

    return min(candidates, key=order, default=None)


def _size(answer: Answer) -> float:
    """What the trajectory leaves over, as a geometric mean over the outputs; only ratios mean something."""
    assert answer.result is not None
    left = [item.rmse for item in answer.result.fit.values() if math.isfinite(item.rmse) and item.rmse > 0]
    return math.exp(sum(map(math.log, left)) / len(left)) if left else math.inf


def _rests_on_record(result: Result) -> bool:
    ignored = any(item.code == IGNORES_RECORD for item in result.findings)
    return result.status.code in TRUST and not ignored


def _values(result: Result) -> bool:
    return all(item.value is not None and math.isfinite(item.value) for item in _free(result).values())


def _held_out(answer: Answer, left: Mapping[str, float]) -> float | None:
    """Rms error on what was not fitted, over what the reference leaves of what was."""
    ratios = [value / left[name] for name, value in answer.unseen.items() if name in left]
    ratio = math.sqrt(sum(one**2 for one in ratios) / len(ratios)) if ratios else math.nan
    return ratio if math.isfinite(ratio) else None


def _errors(entry: MethodEntry, truth: Mapping[str, float], crlb: Mapping[str, float]) -> dict[str, float]:
    made = {}
    for name, value in truth.items():
        found = entry.parameters.get(name)
        if found is not None and found.value is not None and crlb.get(name, 0.0) > 0:
            made[name] = (found.value - value) / crlb[name]
    return made


def _beside(
    entry: MethodEntry, answer: Answer, reference: Result, found: tuple[Difference, ...], limit: float
) -> MethodEntry:
    """The entry with its agreement."""
    if answer.result is None or not entry.answered:
        return entry
    if not found:
        return replace(entry, reason=_not_comparable(entry, answer.result, reference))
    agrees = all(abs(item.z) <= limit for item in found)
    return replace(entry, agrees=agrees, reason="" if agrees else _reason(answer, reference))


def _not_comparable(entry: MethodEntry, result: Result, reference: Result) -> str:
    """Why an estimate without an interval has none, and where it lies."""
    notes = [item.note for item in entry.parameters.values() if item.note]
    why = likely_reason(reference, result) or (notes[0] if notes else "")
    words = "it states no interval" + (f": {why}" if why else "")
    far = shifts(_free(reference), entry.parameters)
    if far:
        name = max(far, key=lambda one: abs(far[one]))
        words += f"; its {name} lies {abs(far[name]):.2g} standard errors of {reference.method} away"
    return words


def _reason(answer: Answer, reference: Result) -> str:
    """Why an estimate is off: what the two results tell, else what the trajectory of its values tells."""
    assert answer.result is not None
    told = likely_reason(reference, answer.result)
    if told:
        return told
    ratios = [
        item.rmse / reference.fit[name].rmse
        for name, item in answer.result.fit.items()
        if name in reference.fit and reference.fit[name].rmse > 0
    ]
    kind = "smoothing the record biases it" if answer.smooths else "the approximations that it makes bias it"
    worst = max(ratios, default=0.0)
    if worst > COMPARISON.worse:
        return f"{kind} beyond its interval: the trajectory of its values leaves {worst:.2f} times the residuals"
    if answer.smooths:
        return f"{kind} a little beyond its interval, which the residuals do not show"
    return f"nothing in either fit tells why, for {listed(reference.free)} fit the record as well by both"
