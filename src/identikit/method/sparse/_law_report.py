"""What is said and kept of a law: artifacts that show it, findings about what can be told and what cannot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from identikit.method.sparse._found_law import FoundLaw
from identikit.method.sparse._settings import SPARSE
from identikit.result import Finding, ParameterEstimate, finding

LISTED = 3  # rivals and groups that a sentence lists


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
    made: dict[str, dict[str, Any]] = {
        "law": {"kind": "equation", "equations": library.equations_of(law.chosen, values)},
        "terms": {
            "kind": "table",
            "columns": [
                "equation", "term", "coefficient", "unit", "in the law", "value", "std", "unrefined", "unrefined std",
                "probability", "replicates",
            ],
            "rows": rows,
        },
    }  # fmt: skip
    if evidence is not None:
        made["terms"]["what"] = "law"  # worth a picture
        made["rivals"] = {
            "kind": "table",
            "as_good_below": SPARSE.as_good,
            "columns": ["terms", "change", "criterion above", "as good"],
            "rows": [
                [", ".join(map(law.term, subset.chosen)), law.change(subset.chosen), above, above < SPARSE.as_good]
                for subset, above in evidence.rivals
            ],
        }
    return {**made, **law.artifacts}


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
    if evidence.as_good:
        laws = "; ".join(law.change(item.chosen) for item in evidence.as_good[:LISTED])
        more = len(evidence.as_good) - LISTED
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
