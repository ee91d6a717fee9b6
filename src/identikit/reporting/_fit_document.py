"""The report of a fit, and of a law that was discovered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from identikit.diagnose import STRONG
from identikit.plotting import plot_besides, plot_posterior, plot_uncertainty
from identikit.reporting._document import (
    Advice,
    Block,
    Drawing,
    Listing,
    Paragraph,
    ReportDocument,
    Section,
    Table,
    Tone,
    distrust,
    sections,
)
from identikit.reporting._done import data_words, done_section
from identikit.reporting._equations import equation_blocks, equations_section, model_fact, model_words
from identikit.reporting._fit_pictures import (
    curves_of,
    fit_pictures,
    parts_pictures,
    residual_pictures,
    response_pictures,
)
from identikit.reporting._latex import tables_section
from identikit.reporting._references import references_section
from identikit.reporting._settings import REPORT
from identikit.result import (
    Cells,
    ParameterEstimate,
    Prediction,
    Result,
    law_text,
    listed,
    parameter_cells,
    ranked,
    stated,
    term_cells,
)
from identikit.result import sentences as in_words

LEAST_CHANCE = 1e-12  # that is worth a number

# artifacts of intervals, which stand together in a section of their own
INTERVALS = ("intervals", "profile", "profile pair", "bootstrap", "posterior")
# findings of a fit whose second method came to an estimate that could be compared
SECOND_OPINIONS = ("second_opinion_agrees", "second_opinion_explained", "second_opinion_differs")


def fit_document(result: Result, command: str = "") -> ReportDocument:
    """Question and answer, data against model, what speaks for and against it, what was done."""
    return ReportDocument(
        f"{result.model}: {data_words(result.question, result.provenance)}".rstrip(": "),
        "A law that was discovered" if result.is_discovery else "Parameters of a model, estimated from a record",
        sections(_answer(result), *fit_sections(result, command)),
        result.status,
    )


def fit_sections(result: Result, command: str = "") -> tuple[Section, ...]:
    """Everything after the answer."""
    door = "discover" if result.is_discovery else "fit"
    more = (
        ("model", model_words(result.model, result.model_text)),
        ("method", result.method),
        ("initial states", _initial_words(result)),
    )
    second = _second_opinion(result)
    return sections(
        data_section(result),
        _tests(result),
        _parts(result),
        response_section(result),
        _identifiability(result),
        _agreement(result),
        _uncertainty(result),
        _besides(result),
        findings_section(result.findings),
        done_section(
            door=door,
            provenance=result.provenance,
            seconds=result.seconds,
            question=result.question,
            command=command,
            more=more,
        ),
        equations_section(
            result.model_text,
            "The law" if result.is_discovery else "Equations",
            better=None if result.is_discovery else result.discovered,
        ),
        references_section(
            [result.method, *([str(second["method"])] if second else [])], model_fact(result.model_text, "source")
        ),
        tables_section(parameter_cells(result)),
    )


def _answer(result: Result) -> Section:
    names = listed(result.free)
    data = data_words(result.question, result.provenance)
    verb = "is" if len(result.free) == 1 else "are"
    model = model_words(result.model, result.model_text)
    asked = f"What {verb} {names} of {model}, by the record {data}?".replace(", by the record ?", "?")
    if result.is_discovery:
        asked = f"Which equations does the record {data} obey?"
    found = [value_words(name, result.parameters[name]) for name in result.free]
    answer = "; ".join(found[: REPORT.most_named]) + ("; and so on" if len(found) > REPORT.most_named else "")
    blocks: list[Block] = [
        Paragraph(asked),
        Paragraph(f"{answer}." if answer else "No parameter was free.", Tone.LEAD),
    ]
    blocks += distrust(result.status)
    caption = (
        "std: one standard error; std/CRLB: over the smallest that any unbiased method could reach; the 95 % interval "
        "holds the true value in 95 of 100 such records if the model is right."
    )
    blocks.append(Table(parameter_cells(result), caption))
    if result.is_discovery:
        blocks[1:1] = equation_blocks(result.discovered or "")
        blocks += [Table(term_cells(result), "Terms of the law, with their probability."), _law(result)]
    blocks.append(Paragraph(in_words(result)))
    return Section("Question and answer", tuple(blocks))


def _law(result: Result) -> Block:
    return Listing("The law in words", law_text(result), folded=True)


def value_words(name: str, item: ParameterEstimate) -> str:
    """A parameter with its standard error and interval."""
    if item.value is None:
        return f"{name} was not found"
    value, std, interval = stated(item.value, item.std, item.ci95)
    unit = f" {item.unit}" if item.unit else ""
    spread = "" if std == "-" else f" \N{PLUS-MINUS SIGN} {std}"
    words = f"{name} = {value}{spread}{unit}"
    return f"{words} (95 %: {interval})" if interval else words


def data_section(result: Result | Prediction) -> Section | None:
    """Data against model."""
    pictures = fit_pictures(result)
    if not pictures:
        return None
    hidden = len(curves_of(result)) - REPORT.most_curves
    blocks: list[Block] = [*pictures]
    if hidden > 0:
        blocks.append(Paragraph(f"{hidden} more outputs or records are not drawn here.", Tone.SMALL))
    return Section("Data against model", tuple(blocks))


def _tests(result: Result) -> Section | None:
    """How well each output fits, and whether what is left over is noise."""
    tests = result.diagnostics.get("residuals")
    told = tests if isinstance(tests, Mapping) else {}
    rows = []
    units = {curve.output: curve.unit for curve in curves_of(result)}
    for name, item in result.fit.items():
        noise = result.noise.get(name)
        found = told.get(name)
        chance = found.get("whiteness_p") if isinstance(found, Mapping) else None
        rows.append(
            (
                name,
                f"{item.fit_percent:.2f} %",
                f"{item.r2_percent:.2f} %",
                f"{item.rmse:.3g}",
                units.get(name, ""),
                noise.kind if noise else "",
                "" if noise is None or noise.white is None else "yes" if noise.white else "no",
                "" if chance is None else _chance_words(chance),
            )
        )
    headers = ("output", "fit", "R squared", "rms of residuals", "unit", "noise", "white", "p of whiteness")
    caption = (
        "fit = 100 (1 - rms/std); white: neighbouring residuals are not correlated. A small p means that they are: the "
        "noise is coloured, or the model misses something."
    )
    pictures = residual_pictures(result)
    blocks: list[Block] = [Table(Cells(headers, tuple(rows), (1, 2, 3, 7)), caption)] if rows else []
    return Section("Residuals and their tests", (*blocks, *([pictures] if pictures else [])))


def _chance_words(chance: float) -> str:
    return f"{chance:.2g}" if chance > LEAST_CHANCE else f"< {LEAST_CHANCE:g}"


def _parts(result: Result) -> Section | None:
    pictures = parts_pictures(result)
    if pictures is None:
        return None
    chance = result.artifacts["parts"].get("p_value")
    words = "The record was cut into parts, each fitted with a start of its own."
    if isinstance(chance, float):
        words += f" The chance that they differ as much as they do is {_chance_words(chance)}."
    return Section("Parts of the record", (Paragraph(words), pictures))


def response_section(result: Result | Prediction) -> Section | None:
    """Phase portraits and spectra."""
    return Section("Phase portrait and spectrum", response_pictures(result))


def _identifiability(result: Result) -> Section | None:
    judged = result.diagnostics.get("identifiability")
    told: Mapping[str, Any] = judged if isinstance(judged, Mapping) else {}
    verdicts = {True: "yes", False: "no", None: "not known"}
    rows = tuple((name, verdicts[result.parameters[name].identifiable]) for name in result.free)
    blocks: list[Block] = [Table(Cells(("parameter", "told by the record"), rows))] if rows else []
    table = correlation_table(told.get("correlation"))
    if table is not None:
        blocks.append(table)
    if told.get("condition") is not None:
        words = "Condition number of the scaled information"
        blocks.append(Paragraph(f"{words}: {told['condition']:.3g} (1 is best).", Tone.SMALL))
    return Section("Identifiability", tuple(blocks))


def _second_opinion(result: Result) -> Mapping[str, Any]:
    told = result.diagnostics.get("auto")
    found = told.get("second_opinion") if isinstance(told, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def _agreement(result: Result) -> Section | None:
    """What a method that shares nothing with the first says; whether it agrees is for the fit's own findings to say."""
    distances = _second_opinion(result).get("z")
    verdict = next((item for item in result.findings if item.code in SECOND_OPINIONS), None)
    if verdict is None or not isinstance(distances, Mapping) or not distances:
        return None
    rows = tuple((name, "-" if z is None else f"{z:.2f}") for name, z in distances.items())
    words = f"A second method was asked: {verdict.text.rstrip('.')}."
    caption = "Distance of the two estimates in standard errors."
    return Section(
        "Agreement of methods",
        (Paragraph(words), Table(Cells(("parameter", "distance"), rows, (1,)), caption)),
    )


def _uncertainty(result: Result) -> Section | None:
    """Pictures of intervals that were asked for."""
    held = {item.get("what") for item in result.artifacts.values()}
    blocks: list[Block] = []
    if held & set(INTERVALS):
        blocks.append(Drawing(plot_uncertainty(result), "Intervals by kind, profiles, replicates or draws."))
    if "posterior" in held:
        blocks.append(Drawing(plot_posterior(result), "Posterior: pairs of parameters, chains, prediction."))
    return Section("Uncertainty", tuple(blocks))


def _besides(result: Result) -> Section | None:
    """What else the method found."""
    shown = plot_besides(result).items()
    kept = [(what, figure) for what, figure in shown if what not in (*INTERVALS, "parts")]
    blocks = tuple(Drawing(figure, f"{what[:1].upper()}{what[1:]}.") for what, figure in kept)
    return Section("What else was found", blocks)


def findings_section(findings: tuple[Any, ...]) -> Section | None:
    """Everything there is to say, gravest first."""
    return Section("Findings, and what to do", (Advice(ranked(findings)),)) if findings else None


def _initial_words(result: Result) -> str:
    parts = []
    for states in result.initial_states[: REPORT.most_curves]:
        parts.append(", ".join(_state_words(name, item) for name, item in states.items()))
    return "; ".join(parts)


def _state_words(name: str, item: Mapping[str, float | None]) -> str:
    value, std, _ = stated(item.get("value"), item.get("std"))
    return f"{name} = {value}" if std == "-" else f"{name} = {value} \N{PLUS-MINUS SIGN} {std}"


def correlation_table(found: Any) -> Table | None:
    """A row and a column for every parameter; None where there are too few or too many, or no correlations."""
    if not isinstance(found, Mapping) or not 1 < len(found) <= REPORT.most_correlated:
        return None
    names = list(found)
    rows = tuple((name, *(_number(found[name][other]) for other in names)) for name in names)
    caption = f"Correlation of the estimates: beyond {STRONG:g} either way, quote the two together."
    return Table(Cells(("", *names), rows, tuple(range(1, len(names) + 1))), caption)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
