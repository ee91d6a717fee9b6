"""A result prints as a table to paste into a report and as plain sentences, whatever is missing in it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from identikit.result import (
    Code,
    FitQuality,
    NoiseFound,
    ParameterEstimate,
    Result,
    Status,
    finding,
    rounded,
    sentences,
    table,
)

FOUND = Result(
    model="duffing",
    method="shooting",
    status=Status(Code.OK, "converged"),
    parameters={
        "m": ParameterEstimate(1.0, "kg", role="fixed"),
        "c": ParameterEstimate(0.100351, "N*s/m", 0.000594, (0.0991869, 0.1015159), 0.000594, identifiable=True),
        "k": ParameterEstimate(1.00157, "N/m", 0.0044, (0.9929, 1.0102), 0.0022, identifiable=True),
    },
    noise={"x": NoiseFound(0.0474, True)},
    fit={"x": FitQuality(0.0474, 94.39, 99.7)},
    artifacts={"x": {"kind": "curve", "output": "x", "unit": "m"}},
    diagnostics={"identifiability": {"problems": [], "warnings": []}},
    provenance={"samples": 600, "records": ["duffing"]},
)


@pytest.mark.parametrize(
    ("value", "std", "expected"),
    [
        (0.0499912, 0.0000123, ("0.049991", "0.000012")),
        (123456.0, 1234.0, ("123500", "1200")),
        (1.2345e-9, 1.2e-11, ("1.235e-09", "1.2e-11")),
        (0.0996, 0.0996, ("0.10", "0.10")),
        (-3e7, 1e3, ("-3.00000e+07", "1.0e+03")),
        (0.0, 1e-5, ("0", "1.0e-05")),
        (1e-9, 0.01, ("0.000", "0.010")),
        (1.0, 1e-17, ("1.00000000000000", "1.0e-17")),
        (2.5, 0.0, ("2.5", "0")),
        (1.23, None, ("1.23", "-")),
        (None, None, ("-", "-")),
    ],
)
def test_std_has_two_digits_and_value_the_same_decimal(
    value: float | None, std: float | None, expected: tuple[str, str]
) -> None:
    assert rounded(value, std) == expected


def test_table_rows_align_and_fixed_parameters_come_last() -> None:
    lines = table(FOUND).splitlines()
    assert lines[0].split() == ["parameter", "value", "std", "unit", "95", "%", "interval", "std/CRLB"]
    assert lines[2].split() == ["c", "0.10035", "0.00059", "N*s/m", "0.09919", "to", "0.10152", "1.00"]
    assert lines[3].split() == ["k", "1.0016", "0.0044", "N/m", "0.9929", "to", "1.0102", "2.00"]
    assert lines[4].split() == ["m", "1", "fixed", "kg"]


def test_bound_stands_alone_where_there_is_no_deviation() -> None:
    only_bound = ParameterEstimate(2.0, "", None, None, 0.0123, note="the method gives no deviation")
    shown = table(replace(FOUND, parameters={"k": only_bound}))
    assert "CRLB 0.012" in shown
    assert "the method gives no deviation" in shown


def test_sentences_say_what_was_found_and_how_well_it_fits() -> None:
    text = sentences(FOUND)
    assert "shooting estimated c and k of duffing from 600 measured values" in text
    assert "0.59 % of c and 0.44 % of k" in text
    assert "x to 94.4 %, leaving residuals of 0.0474 m rms that are white" in text
    assert text.endswith("There are no warnings.")


def test_sentences_warn_of_everything_that_speaks_against_the_numbers() -> None:
    doubtful = replace(
        FOUND,
        status=Status(Code.NOT_IDENTIFIABLE, "c and k cannot be told apart by this record: fix one of them"),
        parameters={
            **FOUND.parameters,
            "c": ParameterEstimate(0.0, "", 0.1, (0.0, 0.2), 0.1, note="at its lower bound 0; a second remark"),
        },
        noise={"x": NoiseFound(0.0474, False)},
        findings=(
            finding("still_determined", "c/k = 0.1 +- 0.001", "c", "k"),
            finding("column_guessed", "x was read from column 'x_m'"),
            finding("strongly_correlated", "k and k3 are strongly correlated (+0.980): quote them together", "k", "k3"),
            finding("at_bound", "c is at its lower bound 0", "c"),
            finding("coloured_residuals", "the residuals of x are correlated", "x"),
            finding("inseparable", "c and k cannot be told apart by this record: fix one of them", "c", "k"),
        ),
    )
    text = sentences(doubtful)
    assert "Warning: not everything can be identified: c and k cannot be told apart" in text
    assert text.count("cannot be told apart") == 1
    assert "strongly correlated (+0.980)" in text
    assert "c is at its lower bound 0;" in text
    assert "c is zero within the uncertainty" in text
    assert "the residuals of x are correlated" in text
    assert text.endswith("Still determined: c/k = 0.1 +- 0.001. Note: x was read from column 'x_m'.")
    assert text.index("cannot be told apart") < text.index("strongly correlated") < text.index("Still determined")


def test_each_warning_is_printed_on_a_line_of_its_own() -> None:
    doubtful = replace(
        FOUND,
        status=Status(Code.MISFIT, "the model misses a term"),
        findings=(
            finding("unexplained_pattern", "what is left of x is a pattern", "x"),
            finding("at_bound", "c is at its\nlower bound 0", "c"),
            finding("column_guessed", "x was read from column 'x_m'"),
        ),
    )
    assert str(doubtful).splitlines()[-3:] == [
        "Warning: the model does not describe the record: what is left of x is a pattern.",
        "Warning: c is at its lower bound 0.",
        "Note: x was read from column 'x_m'.",
    ]
    assert sentences(doubtful).count("\n") == 0  # a report has them as one paragraph


def test_a_note_is_not_a_warning() -> None:
    noted = replace(FOUND, findings=(finding("column_guessed", "x was read from column 'x_m'"),))
    assert sentences(noted).endswith("There are no warnings. Note: x was read from column 'x_m'.")


def test_a_result_without_numbers_prints_its_reason() -> None:
    empty = Result(
        "duffing",
        "shooting",
        Status(Code.NOT_APPLICABLE, "4 measured values for 5 unknowns: measure more"),
        {"k": ParameterEstimate(None, "N/m", note="not estimated")},
    )
    text = str(empty)
    assert "found no values for the parameters of duffing (k)" in text
    assert "the method does not apply: 4 measured values for 5 unknowns: measure more" in text
    assert "not estimated" in text


def test_many_parameters_are_counted_instead_of_listed() -> None:
    many = {f"p{i}": ParameterEstimate(1.0, "", 0.01 * (i + 1), None, None) for i in range(12)}
    text = sentences(replace(FOUND, parameters=many))
    assert "estimated 12 parameters" in text
    assert "from 1 % of p0 to 12 % of p11" in text


def test_a_loaded_result_prints_like_the_fresh_one(tmp_path) -> None:
    FOUND.save(tmp_path / "result.json")
    assert str(Result.load(tmp_path / "result.json")) == str(FOUND)


def test_missing_numbers_of_a_loaded_result_are_tolerated() -> None:
    document = FOUND.as_dict()
    document["fit"] = {"x": {"rmse": None, "fit_percent": None, "r2_percent": None}}
    document["noise"] = {"x": {"sigma": None, "white": None}}
    assert str(Result.from_dict(document)).endswith("There are no warnings.")


def test_a_result_saved_before_findings_had_codes_keeps_its_warnings() -> None:
    document = FOUND.as_dict()
    del document["findings"], document["verdict"]
    document["diagnostics"] = {"identifiability": None, "warnings": ["be careful."]}
    old = Result.from_dict(document)
    assert [item.code for item in old.findings] == ["unclassified"] and old.verdict is None
    assert "Warning: be careful." in str(old)
    assert Result.from_dict(old.as_dict()) == old


def test_text_is_plain_ascii() -> None:
    assert str(FOUND).isascii()
