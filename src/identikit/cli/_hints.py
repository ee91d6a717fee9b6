"""What to type: the core says what would help, by a code; here stands the option for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from identikit.errors import IdentikitError

if TYPE_CHECKING:
    from identikit.result import Finding, ParameterEstimate

_FIX = "--fix NAME=VALUE"
_START = "--start NAME=VALUE"

# {0} is what the finding or the error is about
FINDING_HINTS = {
    "needs_symbolic_equations": "--method shooting with --start NAME=VALUE",
    "too_few_samples": _FIX,
    "parameter_unused": "--fix {0}=VALUE",
    "parameter_inside_function": "--fix {0}=VALUE",
    "scale_not_known": _FIX,
    "not_started": f"{_START} or --bounds NAME=LOW:HIGH",
    "not_settled": f"{_START} or {_FIX}",
    "no_method_answered": f"{_START} or {_FIX}",
    "method_failed": "--time-limit SECONDS",
    "not_followed": "--method shooting",
    "poor_fit": _START,
    "structurally_unidentifiable": "--fix {0}=VALUE",
    "no_effect": "--fix {0}=VALUE",
    "not_identifiable": "--fix {0}=VALUE",
    "inseparable": "--fix {0}=VALUE",
    "unexplained_pattern": "--model NAME or --trim START:END",
    "laws_not_settled": f"--model NAME or {_START} or --trim START:END",
    "coefficients_out_of_reach": "--bounds NAME=LOW:HIGH",
    "hold_open": "--hold zero_order, linear or cubic",
    "input_begins_late": "--before {0}=VALUE",
    "input_gap": "--gaps hold or --gaps linear",
    "too_few_equations": "--method sindy with --option degree=N",
    "library_too_large": "--method sindy with --option degree=2",
    "terms_do_not_fit": "--method sindy with --option terms=polynomial",
    "library_lacks_something": (
        "--method sindy with --option degree=4 or terms=report, --method symbolic, --input NAME=COL"
    ),
    "goal_missed": "--samples N, --limit NAME=LOW:HIGH, --input-limit NAME=LOW:HIGH or --sensor NAME=STD",
    "not_freed": "--limit NAME=LOW:HIGH, --longest TIME, --known STATE or --input-limit NAME=LOW:HIGH",
    "likelihood_bent": "--uncertainty profile",
    "profile_flat": "--fix {0}=VALUE",
    "higher_likelihood": _START,
    "replicates_unsettled": "--uncertainty profile",
    "structure_contradicted": "--option structure=none",
}
ERROR_HINTS = {
    "free": "--free {0}",
    "free_or_fix": "--free {0} or --fix {0}=VALUE",
    "name_free": "--free A,B",
    "name_column": "--map {0}=COLUMN",
    "fill_gaps": "--before INPUT=VALUE, --gaps hold or --gaps linear, --trim START:END",
    "name_time": "--time COL, --rate HZ or --dt SECONDS",
    "name_columns": "--columns t,A,B",
    "name_sheet": "--sheet '{0}'",
    "name_unit": "--unit {0}=UNIT",
    "say_decimal": "--decimal ,",
    "name_segments": "--segments COL",
    "begin_elsewhere": "--initial STATE=VALUE",
    "save_first": "another command writes it with --json FILE",
    "set_value": "--set {0}=VALUE",
}


def hints(findings: Iterable[Finding], parameters: Mapping[str, ParameterEstimate] = MappingProxyType({})) -> str:
    """The options that help against these findings, as a sentence; empty if there are none.

    With the result's `parameters`, free and fixed: where one that is held should be free, that alone is said, since
    what else was found may well come from it.
    """
    findings = tuple(findings)
    known = [_let_free(item, parameters) for item in findings if _is_held(item, parameters)] or [
        FINDING_HINTS[item.code].format(item.about[0] if item.about else "NAME")
        for item in findings
        if item.code in FINDING_HINTS
    ]
    return f"Options that may help: {', '.join(dict.fromkeys(known))}." if known else ""


def _is_held(item: Finding, parameters: Mapping[str, ParameterEstimate]) -> bool:
    """Whether the term that the model lacks is a parameter of its own; any other is about a state or a new name too."""
    return item.code == "missing_term" and bool(item.about) and set(item.about) <= set(parameters)


def _let_free(item: Finding, parameters: Mapping[str, ParameterEstimate]) -> str:
    free = [name for name, estimate in parameters.items() if estimate.role == "free" or name in item.about]
    return f"--free {','.join(free)}"


def error_line(error: IdentikitError) -> str:
    """The message on one line, with the option that helps."""
    words = " ".join(str(error).split())
    hint = ERROR_HINTS.get(error.remedy)
    return f"{words} ({hint.format(error.about)})" if hint else words
