"""From fitted models to a verdict: weights, predictions, tests between nested ones, words.

    BIC = -2 log L + k log n,    weight = exp(-BIC/2) / sum over models
    nested models: 2 (log L_large - log L_small) is chi-square with as many degrees of freedom as parameters are added,
    where the small model is right; with one parameter that cannot go below its value there, half of the time zero.
    That holds if the large model leaves white noise: samples that hang together count as more than they are

Reference: S. S. Wilks, Annals of Mathematical Statistics 9 (1938) 60; H. Chernoff, ibid. 25 (1954) 573, at a bound;
K. P. Burnham, D. R. Anderson, Model Selection and Multimodel Inference, 2nd ed., Springer 2002.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import gammaincc

from identikit.numerics import information_weights, predicts_worse
from identikit.result import (
    Code,
    Finding,
    ModelChoice,
    NestedTest,
    Severity,
    Status,
    finding,
    joined,
    listed,
    of_severity,
    percent,
)
from identikit.selection._candidate import LACKING, Candidate
from identikit.selection._nesting import extra_parameters
from identikit.selection._settings import SELECTION


@dataclass(frozen=True)
class Judgement:
    """What comes of comparing: models by their evidence, tests, and the verdict."""

    choices: tuple[ModelChoice, ...]
    tests: tuple[NestedTest, ...]
    best: str | None
    status: Status
    sentences: tuple[str, ...]
    findings: tuple[Finding, ...]


def judged(candidates: Sequence[Candidate]) -> Judgement:
    """Compare models of the same record, each fitted or not."""
    fitted = [item for item in candidates if item.fitted]
    if not fitted:
        text = "none of the models could be fitted: " + "; ".join(
            f"{item.name}: {item.result.status.message}" for item in candidates
        )
        failed = tuple(_choice(item, 0.0, np.inf, None) for item in candidates)
        said = (finding("no_model_fitted", text),)
        return Judgement(failed, (), None, Status(Code.NOT_APPLICABLE, text), (f"{text.capitalize()}.",), said)
    weights = dict(zip([c.name for c in fitted], information_weights([c.bic for c in fitted]), strict=True))
    least = min(item.bic for item in fitted)
    noise = np.min([item.level for item in fitted], axis=0)
    unseen = {item.name: item.scaled_errors for item in candidates}
    scores = {name: _held_out(errors, noise) for name, errors in unseen.items()}
    scored = [name for name, score in scores.items() if score is not None]
    first = min(scored, key=lambda name: scores[name] or np.inf) if scored else None
    worse = {name: _worse(unseen[name], unseen[first], noise) for name in scored if first is not None}
    choices = [
        _choice(item, float(weights.get(item.name, 0.0)), item.bic - least, scores[item.name], worse.get(item.name))
        for item in sorted(candidates, key=lambda item: item.bic)
    ]
    nested = [test for small in fitted for large in fitted if (test := _tested(small, large)) is not None]
    return _verdict(fitted, tuple(choices), nested)


def _held_out(errors: np.ndarray | None, noise: np.ndarray) -> float | None:
    """rms error on unseen samples, in units of the noise."""
    return None if errors is None else float(np.sqrt(np.nanmean((errors / noise) ** 2)))


def _worse(errors: np.ndarray | None, best: np.ndarray | None, noise: np.ndarray) -> bool:
    assert errors is not None and best is not None
    return predicts_worse(errors, best, noise, SELECTION.trifle, SELECTION.blocks)


def _choice(
    item: Candidate,
    weight: float,
    difference: float,
    score: float | None,
    worse: bool | None = None,
) -> ModelChoice:
    result = item.result
    lacks = tuple(one for one in result.findings if one.severity is Severity.REFUSAL or one.code == LACKING)
    objections = lacks or of_severity(result.findings, Severity.WARNING)
    return ModelChoice(
        name=item.name,
        status=result.status.code,
        message=result.status.message,
        parameters={name: result.parameters[name] for name in result.free},
        unknowns=item.unknowns if item.fitted else None,
        log_likelihood=item.log_likelihood if item.fitted else None,
        bic=item.bic if item.fitted else None,
        bic_difference=difference if item.fitted else None,
        aicc=item.aicc if item.fitted else None,
        weight=weight,
        held_out=score,
        predicts_worse=worse,
        rms={name: one.rmse for name, one in result.fit.items()},
        white={name: one.white for name, one in result.noise.items()},
        misses=tuple(one.text for one in objections),
    )


@dataclass(frozen=True)
class _Nested:
    """A test between nested models; `doubt` says why its chance means nothing, if it does not."""

    test: NestedTest
    doubt: str = ""


def _tested(small: Candidate, large: Candidate) -> _Nested | None:
    if small is large:
        return None
    extra = extra_parameters(small.problem, large.problem)
    if not extra:
        return None
    gain = max(2 * (large.log_likelihood - small.log_likelihood), 0.0)
    p_value = float(gammaincc(len(extra) / 2, gain / 2))
    one_sided = len(extra) == 1 and any(extra[name] in large.problem.bounds[name] for name in extra)
    doubt = ""
    if large.coloured:
        doubt = f"the residuals of {listed(large.coloured)} are not white even so"
    elif small.noise_shape != large.noise_shape:  # then the one is not the other with parameters at fixed values
        doubt = "the two take noise of different shapes"
    return _Nested(NestedTest(small.name, large.name, tuple(extra), gain, p_value / 2 if one_sided else p_value), doubt)


def _verdict(fitted: Sequence[Candidate], choices: tuple[ModelChoice, ...], nested: Sequence[_Nested]) -> Judgement:
    tests = tuple(item.test for item in nested if not item.doubt)
    # what another explains far better, be it itself incomplete, is not described however clean the rest may look
    near = {item.name for item in choices if item.bic is not None and _alike(choices[0], item)}
    describing = {item.name for item in fitted if item.describes and item.name in near}
    ranked = [item for item in choices if item.name in describing] or list(choices)
    best = ranked[0]
    said: list[Finding] = []
    if not describing:
        own = next(item for item in fitted if item.name == best.name)
        lacks = [item for item in own.result.findings if item.severity is Severity.REFUSAL or item.code == LACKING]
        why = joined(lacks) or own.result.status.message
        text = f"none of the models describes this record, and {best.name} is only the least bad of them: {why}"
        said.append(finding("no_model_fits", text, best.name))
        return Judgement(
            choices, tests, best.name, Status(Code.MISFIT, text), (f"{text[0].upper()}{text[1:]}.",), tuple(said)
        )
    rivals = [item for item in ranked[1:] if _alike(best, item)]
    if rivals:
        names = listed([best.name, *(item.name for item in rivals)])
        text = f"this record cannot tell {names} apart: their criteria differ by less than {SELECTION.close:g}"
        said.append(finding("models_alike", text, best.name, *(item.name for item in rivals)))
        sentence = f"{text[0].upper()}{text[1:]}. {best.name} comes first, with {percent(best.weight)} of the weight."
    else:
        sentence = f"{best.name} describes this record, with {percent(best.weight)} of the weight."
    words = [sentence, *_lacking_words(best, choices), *_test_words(nested, best.name)]
    words += _prediction_words(best, choices)
    coloured = [name for name, white in best.white.items() if white is False]
    if coloured:
        text = (
            f"the residuals of {listed(coloured)} are not white even for {best.name}: the weights count correlated "
            "samples as independent, and are too sure of themselves"
        )
        said.append(finding("weights_overconfident", text, *coloured))
    if best.predicts_worse:
        text = f"{best.name} has the best criterion, but predicts unseen samples worse than another"
        said.append(finding("prediction_disagrees", text, best.name))
    return Judgement(choices, tests, best.name, Status(Code.OK, sentence.rstrip(".")), tuple(words), tuple(said))


def _alike(best: ModelChoice, other: ModelChoice) -> bool:
    assert best.bic is not None and other.bic is not None
    return other.bic - best.bic < SELECTION.close


def _lacking_words(best: ModelChoice, choices: Sequence[ModelChoice]) -> list[str]:
    """Models that are likelier than the best of those that describe the record."""
    ahead = choices[: choices.index(best)]
    return [f"{item.name} has {percent(item.weight)}, but misses something that shows." for item in ahead]


def _test_words(nested: Sequence[_Nested], best: str) -> list[str]:
    words = []
    for item in nested:
        test = item.test
        if best not in (test.small, test.large):
            continue
        value = f"p = {test.p_value:.2g}" if test.p_value >= 1e-4 else "p < 0.0001"
        told = f"asks for ({value})" if test.p_value <= SELECTION.nested_level else f"does not need ({value})"
        verdict = f"which this record {told}" if not item.doubt else f"which is not tested, since {item.doubt}"
        words.append(f"{test.large} is {test.small} with {listed(test.parameters)} besides, {verdict}.")
    return words


def _prediction_words(best: ModelChoice, choices: Sequence[ModelChoice]) -> list[str]:
    scored = [item for item in choices if item.held_out is not None]
    if best.held_out is None:
        return ["The last part of the record could not be predicted from the rest."]
    share = f"fitted to the first {100 * SELECTION.share:.0f} % of the record"
    error = f"{best.held_out:.2f} times the noise"
    if best.predicts_worse:
        first = min(scored, key=lambda item: item.held_out or np.inf)
        return [
            f"When {share}, {first.name} predicts the rest best (rms error {first.held_out:.2f} times the noise, "
            f"{best.name} {best.held_out:.2f})."
        ]
    others = [item for item in scored if item is not best]
    if others and all(item.predicts_worse for item in others):
        return [f"It also predicts the rest best when {share}: rms error {error}."]
    told = f"predicts the rest with an rms error {error}, and none does so better beyond chance"
    return [f"When {share}, {best.name} {told}."]
