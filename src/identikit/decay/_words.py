"""What a decay is made of, in sentences."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from identikit.decay._judge import OutsideLaw
from identikit.decay._settings import RANKING
from identikit.oscillation import DRAG, DRY, VISCOUS
from identikit.result import AmplitudeRange, LawResult, MechanismResult, percent

WORDS = {VISCOUS: "viscous damping", DRY: "dry friction", DRAG: "drag"}


def sentences(
    laws: tuple[LawResult, ...],
    mechanisms: Mapping[str, MechanismResult],
    inflation: float,
    best_prediction: str | None,
    misfit: float,
    outside: OutsideLaw | None,
) -> tuple[str, ...]:
    """Verdict, evidence for every mechanism, prediction, and what to doubt."""
    return tuple(
        part
        for part in (
            _verdict(laws, outside),
            _evidence(laws[0], mechanisms),
            _prediction(laws, best_prediction),
            _doubt(inflation, misfit),
        )
        if part
    )


def unexplained_loss(laws: tuple[LawResult, ...], inflation: float, misfit: float, unit: str) -> str:
    """Where the laws fail and what is missing, "" if nothing is; `unit` is that of the amplitude."""
    parts = (
        _missing(laws[0], unit) if inflation > RANKING.coloured else "",
        _failures(laws, unit) if misfit > RANKING.misfit else "",
    )
    return "; ".join(part for part in parts if part)


def imitation(best: LawResult, outside: OutsideLaw | None) -> str:
    """That a loss outside the laws explains the record as well, "" if none does."""
    if outside is None or outside.weight < RANKING.likely:
        return ""
    beside = [WORDS[name] for name in outside.mechanisms]
    power = outside.name.rpartition(" + ")[2]
    place = f"beside {' and '.join(beside)}" if beside else "alone"
    return (
        f"a loss that grows as {power}, v the speed, {place}, would explain this record as well as {best.name} (weight "
        f"{percent(outside.weight)} beside the laws): the mechanisms named may only imitate it"
    )


def _verdict(laws: tuple[LawResult, ...], outside: OutsideLaw | None) -> str:
    best = laws[0]
    if not best.mechanisms:
        return f"No damping is needed to explain this record (weight {percent(best.weight)})."
    parts = sorted(best.mechanisms, key=lambda name: -best.shares[name])
    if len(parts) == 1:
        made = f"The decay is {WORDS[parts[0]]}"
    else:
        listed = [f"{WORDS[name]} ({percent(best.shares[name])} of the energy lost)" for name in parts]
        made = f"The decay is a mixture of {', '.join(listed[:-1])} and {listed[-1]}"
    if outside is not None and outside.weight > best.weight:
        return (
            f"A loss that none of the laws has explains this record with the fewest parameters: {outside.name}, weight "
            f"{percent(outside.weight)}. {made} as far as the laws can say (weight {percent(best.weight)})."
        )
    if best.weight >= RANKING.sure and not best.predicts_worse:
        return f"{made}: {percent(best.weight)} sure among the eight laws."
    others = [
        f"{law.name} ({percent(law.weight)}{', predicts better' if foretells(best, law) else ''})"
        for law in laws[1:]
        if law.weight >= RANKING.likely or foretells(best, law)
    ]
    if outside is not None and outside.weight >= RANKING.likely:
        others.append(f"{outside.name}, which is none of the laws ({percent(outside.weight)})")
    return (
        f"{made}, most likely: weight {percent(best.weight)}. Not excluded: {', '.join(others)}."
        if others
        else f"{made}, most likely: weight {percent(best.weight)}."
    )


def _evidence(best: LawResult, mechanisms: Mapping[str, MechanismResult]) -> str:
    """What each mechanism takes if all three are allowed for, and whether it is needed."""
    said = []
    for name, item in mechanisms.items():
        word = WORDS[name].capitalize()
        if name in best.mechanisms:
            said.append(
                f"{word}: needed with probability {percent(item.probability)}, {percent(item.share_low)} to "
                f"{percent(item.share_high)} of the energy lost."
            )
        elif item.share_high < RANKING.noticed:
            said.append(f"{word}: not seen, at most {percent(item.share_high)} of the energy lost.")
        else:
            said.append(
                f"{word}: not needed (probability {percent(item.probability)}), though up to "
                f"{percent(item.share_high)} of the energy lost may be its: so much this record cannot tell from the "
                "others."
            )
    return " ".join(said)


def _prediction(laws: tuple[LawResult, ...], best_prediction: str | None) -> str:
    best = laws[0]
    if best.held_out is None or best_prediction is None:
        return ""
    text = (
        f"Fitted to the first part of the record and continued, this law misses the rest by {best.held_out:.3g} times "
        "the noise"
    )
    if best.name == best_prediction:
        return f"{text}, less than any other."
    other = next(law for law in laws if law.name == best_prediction)
    if best.predicts_worse:
        return f"{text}; {other.name} predicts it better ({other.held_out:.3g}), which speaks against this law."
    return f"{text}; no law predicts it better beyond chance."


def _doubt(inflation: float, misfit: float) -> str:
    if inflation <= RANKING.coloured:
        return ""
    text = (
        f"Warning: what the laws leave over is not white, so the record counts for {inflation:.3g} times fewer "
        "samples, and standard errors are wider accordingly."
    )
    if misfit > 2:
        text += (
            f" It is {misfit:.2g} times the noise: something acts that none of the laws has (a friction that changes "
            "with speed, load or time, or another restoring force)."
        )
    return text


def foretells(best: LawResult, other: LawResult) -> bool:
    """Whether another law predicts the unseen part better than the likeliest one, beyond chance."""
    return bool(best.predicts_worse and other.predicts_worse is False)


def _missing(best: LawResult, unit: str) -> str:
    """Where the record loses more or less than the likeliest law, and what that is a sign of."""
    said, signs = [], []
    for item in best.ranges:
        if item.loss is None or item.loss_std is None:
            continue
        more = item.loss - 1
        signs.append(float(np.sign(more)) if abs(more) > max(RANKING.unlike * item.loss_std, RANKING.slight) else 0.0)
        if signs[-1]:
            word = "more" if more > 0 else "less"
            said.append(f"from {_between(item, unit)} the record loses {percent(abs(more))} {word} than the law")
    if not said:
        return ""
    cause = ""
    if signs[0] > 0 or signs[-1] < 0:
        cause = (
            ": a loss that grows faster with the swing than the law's (a higher power of the speed, or of the angle)"
        )
    elif signs[0] < 0 or signs[-1] > 0:
        cause = ": a loss that grows as the motion slows down (friction that falls with speed), or over time"
    return f"{', '.join(said)}{cause}"


def _failures(laws: tuple[LawResult, ...], unit: str) -> str:
    """In which range of amplitude each law fails most."""
    said = []
    for law in laws:
        worst = max(law.ranges, key=lambda item: item.misfit, default=None)
        if law.mechanisms and worst is not None and worst.misfit > RANKING.misfit:
            said.append(f"{law.name} from {_between(worst, unit)} ({worst.misfit:.2g} times the noise)")
    return f"amplitudes at which the laws fail most: {', '.join(said)}" if said else ""


def _between(item: AmplitudeRange, unit: str) -> str:
    return f"{item.above:.3g} to {item.below:.3g}{' ' + unit if unit else ''}"
