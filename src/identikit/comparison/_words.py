"""The verdict in sentences, and as findings."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from identikit.comparison._answer import Answer
from identikit.result import Code, Finding, ParameterEstimate, finding, listed
from identikit.selection import SELECTION

if TYPE_CHECKING:
    from identikit.comparison._verdict import Seen


def verdict_words(
    best: Answer, seen: Sequence[Seen], truth: Mapping[str, float], limit: float
) -> tuple[tuple[str, ...], list[Finding]]:
    """Sentences, the one about the reference first; and what they say as findings."""
    findings: list[Finding] = []
    words = [_reference_words(best, seen)]
    words += _surer_words(best, seen)
    words += _agreement_words(best, seen, findings)
    words += [
        f"{item.entry.method} cannot be compared, for {item.entry.reason}." for item in seen if _beyond_compare(item)
    ]
    words += _truth_words(best, seen, truth, limit, findings)
    words += _unseen_words(best, seen)
    words += _silent_words(seen, findings)
    return tuple(words), findings


def _reference_words(best: Answer, seen: Sequence[Seen]) -> str:
    assert best.result is not None
    code, message = best.result.status.code, best.result.status.message.rstrip(".")
    place = _place(best, seen)
    if code is Code.OK:
        return f"{best.method} is the reference: its checks hold{place and f', and {place}'}."
    if code is Code.NOT_IDENTIFIABLE:
        return f"{best.method} is the reference{place and f' ({place})'}, but not everything can be told: {message}."
    return f"No estimate is to be trusted; that of {best.method} comes closest: {message}."


def _place(best: Answer, seen: Sequence[Seen]) -> str:
    """Why it is this one, beside the others; empty where its place among them says nothing."""
    if best.likeliest:
        return "it is where the likelihood is largest"
    own = _errors(next(item for item in seen if item.answer is best))
    others = [item for item in seen if item.answer is not best and own and set(own) <= set(_errors(item))]
    if not others:
        return ""
    if all(own[name] <= _errors(item)[name] for item in others for name in own):
        return "its standard errors are the smallest"
    sound = [_errors(item) for item in others if item.entry.status is Code.OK]
    if all(math.prod(errors[name] / own[name] for name in own) >= 1 for errors in sound):
        return "no other estimate whose checks hold is more certain"
    return ""


def _errors(item: Seen) -> dict[str, float]:
    """The standard errors that an entry states."""
    return {name: one.std for name, one in item.entry.parameters.items() if one.std}


def _surer_words(best: Answer, seen: Sequence[Seen]) -> list[str]:
    """Those whose own checks hold although those of the reference do not."""
    surer = [item.entry.method for item in seen if item.entry.status is Code.OK]
    if best.result is None or best.result.ok or not surer:
        return []
    return [f"{listed(surer)} {_verb(surer, 'does', 'do')} not notice: {_verb(surer, 'its', 'their')} own checks hold."]


def _agreement_words(best: Answer, seen: Sequence[Seen], findings: list[Finding]) -> list[str]:
    others = [item for item in seen if item.answer is not best]
    same = [item.entry.method for item in others if item.entry.agrees and item.same]
    agreeing = [item.entry.method for item in others if item.entry.agrees and not item.same]
    off = [item for item in others if item.entry.agrees is False]
    words = []
    if agreeing:
        text = f"{listed(agreeing)} {_verb(agreeing, 'agrees', 'agree')} with it within the intervals"
        findings.append(finding("methods_agree", text.replace("with it", f"with {best.method}"), *agreeing))
        words.append(f"{text}.")
    if same:
        words.append(
            f"{listed(same)} {_verb(same, 'ends', 'end')} at the very same values, as methods do that are refined by "
            "the same fit: that confirms nothing."
        )
    if not agreeing:
        text = f"no method that comes to its values in another way confirms {best.method}"
        findings.append(finding("no_second_opinion", text))
        words.append(f"{text[0].upper()}{text[1:]}.")
    words += [_off_words(item) for item in off]
    serious = [item.entry.method for item in off if item.entry.status is Code.OK]
    if serious:
        text = f"{listed(serious)} {_verb(serious, 'differs', 'differ')} from {best.method} beyond the intervals"
        findings.append(finding("methods_differ", text, *serious))
    return words


def _off_words(item: Seen) -> str:
    worst = max(item.differences, key=lambda one: abs(one.z))
    value = item.entry.parameters[worst.name].value
    return (
        f"{item.entry.method} is off: its {worst.name} = {value:.4g} lies {abs(worst.z):.1f} standard errors of the "
        f"difference away; {item.entry.reason}."
    )


def _beyond_compare(item: Seen) -> bool:
    return item.entry.answered and item.entry.agrees is None and bool(item.entry.reason)


def _truth_words(
    best: Answer, seen: Sequence[Seen], truth: Mapping[str, float], limit: float, findings: list[Finding]
) -> list[str]:
    if not truth:
        return []
    held, stated = 0, 0
    for item in seen:
        for name, value in truth.items():
            found = item.entry.parameters.get(name)
            if found is not None and found.ci95 is not None:
                stated += 1
                held += found.ci95[0] <= value <= found.ci95[1]
    own = next(item.entry for item in seen if item.answer is best)
    words = []
    if own.error_over_crlb:
        name = max(own.error_over_crlb, key=lambda one: abs(own.error_over_crlb[one]))
        error = own.error_over_crlb[name]
        words.append(f"The largest error of {best.method} is {error:+.2f} Cramer-Rao bounds, in {name}.")
    if stated:
        words.append(f"Of {stated} intervals of 95 % that were stated, {held} hold the truth.")
    missed = [name for name, value in truth.items() if _misses(own.parameters.get(name), value, limit)]
    if missed:
        text = f"the truth of {listed(missed)} lies far outside the interval of {best.method}"
        findings.append(finding("truth_missed", text, *missed))
        words.append(f"{text[0].upper()}{text[1:]}.")
    return words


def _misses(found: ParameterEstimate | None, value: float, limit: float) -> bool:
    if found is None or found.value is None or not found.std:
        return False
    return abs(found.value - value) > limit * found.std


def _unseen_words(best: Answer, seen: Sequence[Seen]) -> list[str]:
    assert best.result is not None
    # what a fit leaves over is noise only if its checks hold
    measure = "the noise" if best.result.ok else f"the residuals of {best.method}"
    scored = {item.entry.method: item.entry.held_out for item in seen if item.entry.held_out is not None}
    if not scored:
        return []
    first, last = min(scored, key=lambda one: scored[one] or 0.0), max(scored, key=lambda one: scored[one] or 0.0)
    share = f"Fitted to the first {100 * SELECTION.share:.0f} % of the record"
    if first == last:
        return [f"{share}, {first} predicts the rest to {scored[first]:.2f} times {measure}."]
    return [
        f"{share}, methods predict the rest to between {scored[first]:.2f} ({first}) and {scored[last]:.3g} ({last}) "
        f"times {measure}."
    ]


def _silent_words(seen: Sequence[Seen], findings: list[Finding]) -> list[str]:
    silent = [item.entry for item in seen if not item.entry.answered]
    objecting = [item.method for item in silent if item.objections]
    failed = [item for item in silent if not item.objections]
    words = []
    if objecting:
        words.append(f"{listed(objecting)} {_verb(objecting, 'does', 'do')} not apply.")
    for item in failed:
        findings.append(finding("method_failed", f"{item.method} came to no estimate: {item.message}", item.method))
    if failed:
        words.append(f"{listed(item.method for item in failed)} came to no estimate.")
    return words


def _verb(names: Sequence[str], one: str, many: str) -> str:
    return one if len(names) == 1 else many
