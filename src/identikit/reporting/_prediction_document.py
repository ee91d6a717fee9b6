"""The report of a prediction: a fitted model on a record that it was not fitted to."""

from __future__ import annotations

from identikit.reporting._document import Block, Paragraph, ReportDocument, Section, Table, Tone, sections
from identikit.reporting._done import data_words, done_section
from identikit.reporting._equations import equations_section, model_words
from identikit.reporting._fit_document import data_section, response_section
from identikit.reporting._fit_pictures import residual_pictures
from identikit.reporting._latex import tables_section
from identikit.reporting._references import references_section
from identikit.result import Prediction, listed


def prediction_document(prediction: Prediction, command: str = "") -> ReportDocument:
    """How well it predicts, data against model, what is left over, and what was done."""
    data = data_words(prediction.question, prediction.provenance)
    model = (prediction.question or {}).get("model")
    pictures = residual_pictures(prediction)
    values = ", ".join(f"{name} = {value:.6g}" for name, value in prediction.parameters.items())
    return ReportDocument(
        f"{prediction.model}: prediction of {data}",
        "A fitted model on another record",
        sections(
            _answer(prediction, data, model if isinstance(model, str) else ""),
            data_section(prediction),
            Section("Errors of prediction", (pictures,)) if pictures else None,
            response_section(prediction),
            done_section(
                door="predict",
                provenance=prediction.provenance,
                seconds=prediction.seconds,
                command=command,
                more=(("model", prediction.model), ("fitted by", prediction.method), ("parameters", values)),
            ),
            equations_section(model if isinstance(model, str) and "\n" in model else None),
            references_section([prediction.method]),
            tables_section(prediction.cells()),
        ),
        prediction.status,
    )


def _answer(prediction: Prediction, data: str, text: str) -> Section:
    model = model_words(prediction.model, text)
    found = listed(f"{name} to {item.fit_percent:.1f} %" for name, item in prediction.fit.items())
    blocks: list[Block] = [
        Paragraph(f"How well does {model}, as it was fitted, predict {data or 'another record'}?"),
        Paragraph(f"It predicts {found}." if found else prediction.status.message, Tone.LEAD),
        Paragraph(f"{prediction.title}."),
    ]
    if not prediction.ok:
        words = f"The fit itself is not to be trusted: {prediction.status.message.rstrip('.')}."
        blocks.append(Paragraph(words, Tone.WARNING))
    caption = (
        "error/noise: rms error over the noise that the fit found; in 95 % band: part of the samples within 1.96 "
        "standard errors of prediction."
    )
    return Section("Question and answer", (*blocks, Table(prediction.cells(), caption)))
