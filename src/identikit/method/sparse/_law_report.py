"""What is said and kept of a law: artifacts that show it, findings about what can be told and what cannot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import itemgetter
from typing import Any

from identikit.method._base import ObjectionError
from identikit.method.sparse._found_law import FoundLaw
from identikit.method.sparse._library import Library
from identikit.method.sparse._settings import SPARSE
from identikit.result import Finding, ParameterEstimate, finding

LISTED = 3  # rivals and groups that a sentence lists
NOTHING_SHOWN = "it shows nothing above its noise"
TERM_COLUMNS = (
    "equation", "term", "coefficient", "unit", "in the law", "value", "std", "unrefined", "unrefined std",
    "probability", "replicates",
)  # fmt: skip


def no_law(library: Library, why: str) -> ObjectionError:
    """The objection that nothing was found."""
    text = f"none of {len(library.terms)} terms is supported by the record: {why}"
    return ObjectionError(finding("no_law", text))


def law_artifacts(law: FoundLaw, refined: Mapping[str, ParameterEstimate]) -> dict[str, dict[str, Any]]:
    """The law, every term with its number and how sure it is, and the rivals; `refined` are the law's own constants
    after the trajectory was fitted."""
    library, evidence = law.library, law.evidence
    rows = []
    for index, term in enumerate(library.terms):
        weight = None if evidence is None else float(evidence.weight[index])
        share = None if evidence is None or evidence.replicated is None else float(evidence.replicated[index])
        inside = index in law.chosen
        constant = refined.get(term.coefficient)
        rows.append([
            term.state, term.text, term.coefficient, term.unit, inside,
            constant.value if constant and inside else None,
            constant.std if constant and inside else None,
            float(law.values[index]) if inside else None,
            law.std(index) if inside else None,
            weight, share,
        ])  # fmt: skip
    values = law.values.copy()
    for index in law.chosen:
        constant = refined.get(library.terms[index].coefficient)
        if constant is not None and constant.value is not None:
            values[index] = constant.value
    constants = {item.name: refined[item.name] for item in library.inner if item.name in refined}
    known = {name: item.value for name, item in constants.items() if item.value is not None}
    made: dict[str, dict[str, Any]] = {
        "law": {"kind": "equation", "equations": library.with_inner(known).equations_of(law.chosen, values)},
        "terms": {
            "kind": "table",
            "columns": list(TERM_COLUMNS),
            "rows": rows,
        },
    }  # fmt: skip
    if constants:
        made["inner constants"] = {
            "kind": "table",
            "columns": ["constant", "unit", "value", "std", "unrefined"],
            "rows": [
                [item.name, item.unit, constants[item.name].value, constants[item.name].std, item.value]
                for item in library.inner
                if item.name in constants
            ],
        }
    if evidence is not None:
        made["terms"]["what"] = "law"  # worth a picture
        made["rivals"] = rivals_table(_rivals(law))
    return made | {name: dict(item) for name, item in law.artifacts.items()}


def rivals_table(rivals: Iterable[tuple[str, str, float]], as_good: float = SPARSE.as_good) -> dict[str, Any]:
    """Other laws, how each differs from the chosen one, and its criterion above; those below `as_good` cannot be
    told."""
    return {
        "kind": "table",
        "as_good_below": as_good,
        "columns": ["terms", "change", "criterion above", "as good"],
        "rows": [[words, change, above, above < as_good] for words, change, above in sorted(rivals, key=itemgetter(2))],
    }


def _rivals(law: FoundLaw) -> list[tuple[str, str, float]]:
    """Other laws in words, how they differ from this one, and their criterion above its own."""
    found = [(words, words, above) for words, above in law.other_shapes]
    for subset, above in () if law.evidence is None else law.evidence.rivals:
        found.append((", ".join(map(law.term, subset.chosen)), law.change(subset.chosen), above))
    return found


def law_findings(law: FoundLaw) -> list[Finding]:
    """Rivals, terms alike, a choice that did not settle, a library that does not hold the law."""
    found, evidence = list(law.remarks), law.evidence
    about = tuple(law.library.terms[i].coefficient for i in law.chosen)
    if law.misfit is not None and law.misfit > SPARSE.misfit:
        text = (
            f"what the best law of these {len(law.library.terms)} terms leaves over is {law.misfit:.1f} times the "
            "noise: the library may lack a term, or a state is missing"
        )
        found.append(finding("library_lacks_something", text))
    if not law.settled:
        text = "the choice of terms did not settle: other terms may fit as well"
        found.append(finding("law_not_settled", text, *about))
    if evidence is None:
        return found
    as_good = [change for _, change, above in _rivals(law) if above < SPARSE.as_good]
    if as_good:
        laws, more = "; ".join(as_good[:LISTED]), len(as_good) - LISTED
        text = f"the record cannot tell the law from others: {laws}" + (f"; and {more} more" if more > 0 else "")
        found.append(finding("rival_laws", text, *about))
    if evidence.groups:
        groups = "; ".join(", ".join(map(law.term, group)) for group in evidence.groups[:LISTED])
        text = f"on this record these terms are nearly combinations of one another: {groups}"
        found.append(finding("terms_alike", text))
    if not law.proven:
        text = "the search among subsets was cut off: a better one is possible, though none was found"
        found.append(finding("search_cut_off", text))
    return found
