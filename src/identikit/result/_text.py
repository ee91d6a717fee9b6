"""A result in words: a table to paste into a lab report, and sentences saying what it is worth."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from identikit.result._cells import Cells
from identikit.result._finding import Severity, joined, of_severity
from identikit.result._numbers import SIGNIFICANT_WITHOUT_STD, rounded, stated
from identikit.result._result import Code, ParameterEstimate, Result

STILL_DETERMINED = "still_determined"  # the notes with a heading of their own
MOST_LISTED = 6  # parameters or outputs that a sentence lists one by one

HEADERS = ("parameter", "value", "std", "unit", "95 % interval", "std/CRLB", "note")
RIGHT_ALIGNED = (1, 2, 5)  # columns of the table that are numbers


def describe(result: Result) -> str:
    """Table and sentences, as `print(result)` shows them."""
    return f"{table(result)}\n\n{in_lines(result)}"


def table(result: Result) -> str:
    """One row per parameter, free ones first: std to two digits, value and interval to the same decimal.

    `std/CRLB` compares the standard error with the smallest one any unbiased method could reach; where a method
    gives no standard error of its own, the bound itself stands there.
    """
    return str(parameter_cells(result))


def parameter_cells(result: Result) -> Cells:
    """The same as cells."""
    return Cells(HEADERS, tuple(rows(result)), RIGHT_ALIGNED)


def rows(result: Result) -> list[tuple[str, ...]]:
    """The cells of the table, under HEADERS."""
    free = [_free_row(name, item) for name, item in result.parameters.items() if item.role == "free"]
    return free + [_fixed_row(name, item) for name, item in result.parameters.items() if item.role != "free"]


def brief(result: Result) -> str:
    """One line: what `repr(result)` shows."""
    found = [
        f"{name} = {' +- '.join(part for part in rounded(item.value, item.std) if part != '-')}"
        for name, item in result.parameters.items()
        if item.role == "free" and item.value is not None
    ]
    more = f", and {len(found) - MOST_LISTED} more" if len(found) > MOST_LISTED else ""
    values = f": {', '.join(found[:MOST_LISTED])}{more}" if found else ""
    return f"<Result {result.status.code.value}, {result.model} by {result.method}{values}>"


def sentences(result: Result) -> str:
    """What was found, how well it fits, and what there is to be warned of."""
    return " ".join(f"{_outcome(result)} {concerns(result)}".split())  # one paragraph, whatever the names in it hold


def in_lines(result: Result) -> str:
    """The same sentences to be read in a terminal: each warning on a line of its own, if there are any."""
    warned = _warned(result)
    if not warned:
        return sentences(result)
    lines = [_outcome(result), *(f"Warning: {text}." for text in warned), *_notes(result)]
    return "\n".join(" ".join(line.split()) for line in lines)


def _outcome(result: Result) -> str:
    return " ".join((_found(result), _intervals(result), _fits(result)))


def _free_row(name: str, item: ParameterEstimate) -> tuple[str, ...]:
    value, std, interval = stated(item.value, item.std, item.ci95)
    return name, value, std, item.unit, interval, _against_bound(item), item.note


def _fixed_row(name: str, item: ParameterEstimate) -> tuple[str, ...]:
    value = "-" if item.value is None else f"{item.value:.{SIGNIFICANT_WITHOUT_STD}g}"
    return name, value, "fixed", item.unit, "", "", item.note


def _against_bound(item: ParameterEstimate) -> str:
    if item.crlb is None or not item.crlb > 0:
        return ""
    return f"CRLB {item.crlb:.2g}" if item.std is None else f"{item.std / item.crlb:.2f}"


def _found(result: Result) -> str:
    estimated = [name for name in result.free if result.parameters[name].value is not None]
    if not estimated:
        wanted = f" ({listed(result.free)})" if result.free else ""
        return f"The method {result.method} found no values for the parameters of {result.model}{wanted}."
    many = len(estimated) > MOST_LISTED
    what = f"{len(estimated)} parameters" if many else listed(estimated)
    text = f"The method {result.method} estimated {what} of {result.model}{_from_what(result)}"
    known = {
        name: (abs(item.value), item.std)
        for name, item in result.parameters.items()
        if name in estimated and item.value is not None and item.std is not None
    }
    telling = {name: 100 * std / value for name, (value, std) in known.items() if std < value}
    nothing = [name for name in known if name not in telling and result.parameters[name].identifiable is not False]
    if telling and many:
        best, worst = min(telling, key=telling.__getitem__), max(telling, key=telling.__getitem__)
        text += f"; one standard deviation is from {telling[best]:.2g} % of {best}"
        text += f" to {telling[worst]:.2g} % of {worst}"
    elif telling:
        shares = listed(f"{share:.2g} % of {name}" for name, share in telling.items())
        text += f"; one standard deviation is {shares}"
    if nothing:
        text += f"; {listed(nothing)} {'is' if len(nothing) == 1 else 'are'} zero within the uncertainty"
    return text + "."


def _intervals(result: Result) -> str:
    """Where the intervals come from, if a kind was asked for."""
    told = result.diagnostics.get("uncertainty")
    if not isinstance(told, Mapping) or not told.get("title"):
        return ""
    title, detail = str(told["title"]), str(told.get("detail") or "")
    return f"The intervals are of the kind {told['kind']}: {title[0].lower()}{title[1:]}{detail and f', {detail}'}."


def _from_what(result: Result) -> str:
    samples, records = result.provenance.get("samples"), result.provenance.get("records")
    if not samples:
        return ""
    text = f" from {samples} measured values"
    return text + (f" in {len(records)} records" if isinstance(records, list | tuple) and len(records) > 1 else "")


def _fits(result: Result) -> str:
    known = {name: item for name, item in result.fit.items() if math.isfinite(item.fit_percent)}
    if not known:
        return ""
    units = {str(item.get("output")): item.get("unit", "") for item in _curves(result)}
    if len(known) > MOST_LISTED:
        shares = [item.fit_percent for item in known.values()]
        coloured = _coloured(result)
        tail = f"; the residuals of {listed(coloured)} are not white" if coloured else ""
        return f"The model fits {len(known)} outputs to between {min(shares):.1f} and {max(shares):.1f} %{tail}."
    parts = []
    for name, item in known.items():
        unit = f" {units[name]}" if units.get(name) else ""
        level = "" if not math.isfinite(item.rmse) else f", leaving residuals of {item.rmse:.3g}{unit} rms"
        noise = result.noise.get(name)
        colour = {True: " that are white", False: " that are not white", None: ""}[noise.white if noise else None]
        parts.append(f"{name} to {item.fit_percent:.1f} %{level}{colour if level else ''}")
    return f"The model fits {'; '.join(parts)}."


def concerns(result: Result) -> str:
    """What speaks against the numbers, gravest first; then what was noticed on the way."""
    warned = _warned(result)
    return " ".join([f"Warning: {'; '.join(warned)}." if warned else "There are no warnings.", *_notes(result)])


def _warned(result: Result) -> list[str]:
    """Refusals and warnings one by one, without full stops."""
    refused, warned = (
        [joined([item]) for item in of_severity(result.findings, severity)]
        for severity in (Severity.REFUSAL, Severity.WARNING)
    )
    if result.ok:
        return warned
    first, *others = refused or [result.status.message.rstrip(".")]
    return [f"{_CODES[result.status.code]}: {first}", *others, *warned]


def _notes(result: Result) -> list[str]:
    notes, parts = of_severity(result.findings, Severity.NOTE), []
    for title, own in (("Still determined", True), ("Note", False)):
        said = joined(item for item in notes if (item.code == STILL_DETERMINED) is own)
        parts += [f"{title}: {said}."] if said else []
    return parts


_CODES = {
    Code.MISFIT: "the model does not describe the record",
    Code.NOT_CONVERGED: "the fit did not converge",
    Code.NOT_IDENTIFIABLE: "not everything can be identified",
    Code.NOT_APPLICABLE: "the method does not apply",
}


def _coloured(result: Result) -> list[str]:
    return [name for name, item in result.noise.items() if item.white is False]


def _curves(result: Result) -> list[Any]:
    return [item for item in result.artifacts.values() if item.get("kind") == "curve"]


def listed(words: Iterable[str]) -> str:
    """a, b and c."""
    items = list(words)
    return " and ".join([", ".join(items[:-1]), items[-1]]) if len(items) > 1 else "".join(items)
