"""What a decay is made of, in sentences."""

from __future__ import annotations

from collections.abc import Mapping

from identikit.decay._settings import RANKING
from identikit.oscillation import DRAG, DRY, VISCOUS
from identikit.result import LawResult, MechanismResult, percent

WORDS = {VISCOUS: "viscous damping", DRY: "dry friction", DRAG: "drag"}


def sentences(
    laws: tuple[LawResult, ...],
    mechanisms: Mapping[str, MechanismResult],
    inflation: float,
    best_prediction: str | None,
    misfit: float,
) -> tuple[str, ...]:
    """Verdict, evidence for every mechanism, prediction, and what to doubt."""
    return tuple(
        part
        for part in (
            _verdict(laws),
            _evidence(laws[0], mechanisms),
            _prediction(laws, best_prediction),
            _doubt(inflation, misfit),
        )
        if part
    )


def _verdict(laws: tuple[LawResult, ...]) -> str:
    best = laws[0]
    if not best.mechanisms:
        return f"No damping is needed to explain this record (weight {percent(best.weight)})."
    parts = sorted(best.mechanisms, key=lambda name: -best.shares[name])
    if len(parts) == 1:
        made = f"The decay is {WORDS[parts[0]]}"
    else:
        listed = [f"{WORDS[name]} ({percent(best.shares[name])} of the energy lost)" for name in parts]
        made = f"The decay is a mixture of {', '.join(listed[:-1])} and {listed[-1]}"
    if best.weight >= RANKING.sure:
        return f"{made}: {percent(best.weight)} sure among the eight laws."
    others = [f"{law.name} ({percent(law.weight)})" for law in laws[1:] if law.weight >= RANKING.likely]
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
    if inflation <= 1.5:
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
