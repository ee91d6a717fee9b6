"""A damaged, foreign or hostile document is refused in one sentence, or read and printed: never a traceback."""

from __future__ import annotations

import copy
import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from identikit.errors import DataError
from identikit.result import (
    Code,
    DampingReport,
    DesignCheck,
    DesignReport,
    FitQuality,
    LawResult,
    MechanismResult,
    NoiseFound,
    ParameterEstimate,
    PlannedExperiment,
    PlannedRun,
    Result,
    Status,
    WantedParameter,
)

RESULT = Result(
    model="duffing",
    method="shooting",
    status=Status(Code.OK, "converged"),
    parameters={
        "k": ParameterEstimate(1.0, "N/m", 0.1, (0.8, 1.2), 0.09, "free", True, "at its lower bound"),
        "m": ParameterEstimate(2.0, role="fixed"),
    },
    initial_states=({"x": {"value": 1.0, "std": None}},),
    noise={"x": NoiseFound(0.1, False)},
    fit={"x": FitQuality(0.1, 98.0, 99.9)},
    artifacts={"x": {"kind": "curve", "output": "x", "unit": "m", "t": [0.0, 1.0], "measured": [1.0, None]}},
    diagnostics={"identifiability": {"problems": [], "warnings": ["a"]}, "warnings": ["b"]},
    seconds={"total": 1.0},
    provenance={"samples": 100, "records": ["a", "b"], "seed": 0},
)
REPORT = DampingReport(
    model="duffing",
    method="shooting",
    status=Status(Code.OK, "ranked"),
    best="viscous",
    sentences=("It is viscous.",),
    laws=(
        LawResult("viscous", ("viscous",), {"c": {"value": 0.1, "std": 0.01, "unit": ""}}, {"x": 0.1}, -5.0, 0.0, 0.9,
                  1.0, False, {"viscous": 1.0}, True),
    ),
    mechanisms={"viscous": MechanismResult(("c",), 0.9, 1.0, 0.9, 1.0)},
    baselines={
        "log_decrement": {"ratio": 0.1, "ratio_std": 0.01, "frequency": 1.0, "warnings": ["w"], "record": "a"},
        "half_power": {"ratio": None, "ratio_std": None, "frequency": None, "warnings": ["too short"]},
    },
    curves=({"record": "a", "time_unit": "s"},),
    diagnostics={"warnings": ["note"]},
    seconds={"total": 1.0},
)  # fmt: skip
PLAN = DesignReport(
    model="duffing",
    status=Status(Code.OK, "planned"),
    criterion="largest",
    parameters={"k": WantedParameter(1.0, "N/m", 1.0, 0.01), "c": WantedParameter(0.1, "", 0.1)},
    time_unit="s",
    experiments=(
        PlannedExperiment("present", (PlannedRun({"x": 1.0}, ((0.0, 30.0),), 0.1, 301),), {"F": 1.0}, {"u": "sin(t)"},
                          {"u": "sweep"}, {"x": 0.05}, 0.02, {"k": 0.01, "c": None}, {"k": True, "c": False}, False),
    ),
    recommended="present",
    check=DesignCheck(30, 29, {"k": 0.01}, {"k": 1.0}, 0.13),
    instructions=("measure x",),
    curves=({"experiment": "present", "run": 1},),
    seconds={"total": 1.0},
)  # fmt: skip
KINDS: dict[str, Any] = {"result": RESULT, "report": REPORT, "plan": PLAN}


def read(document: Any, path: Path, content: bytes) -> str:
    """What is printed of the loaded document, or the sentence that refuses it."""
    path.write_bytes(content)
    try:
        loaded = type(document).load(path)
    except DataError as error:
        assert str(error).startswith(str(path)) and "\n" not in str(error)
        return f"refused: {error}"
    loaded.to_json()
    return str(loaded)


@pytest.mark.parametrize("kind", KINDS)
def test_an_undamaged_document_comes_back_equal(kind: str, tmp_path: Path) -> None:
    """Negative control."""
    KINDS[kind].save(tmp_path / "a.json")
    assert type(KINDS[kind]).load(tmp_path / "a.json") == KINDS[kind]


def test_a_number_that_is_not_finite_comes_back_as_not_a_number(tmp_path: Path) -> None:
    from dataclasses import replace

    replace(RESULT, fit={"x": FitQuality(math.nan, -math.inf, math.nan)}).save(tmp_path / "a.json")
    loaded = Result.load(tmp_path / "a.json")
    assert math.isnan(loaded.fit["x"].rmse) and "nan" not in str(loaded)


def test_a_document_of_an_earlier_or_a_later_version_is_read_as_far_as_it_goes() -> None:
    document = {**RESULT.as_dict(), "new field": {"of": "a later version"}}
    del document["provenance"], document["seconds"]
    assert Result.from_dict(document).parameters == RESULT.parameters


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, item in inside for place in places(item, (*path, key)))]


REPLACEMENTS: list[Any] = [
    None, True, False, 0, -1, 1.5, 1e308, 10**400, "", "text", "ok", [], [1], [[]], ["a", None], {}, {"a": 1},
    {"kind": "curve"}, {"value": None},
]  # fmt: skip
DELETED = object()


@settings(deadline=None, max_examples=400, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), kind=st.sampled_from(sorted(KINDS)))
def test_anything_put_in_any_place_is_refused_in_one_sentence_or_printed(
    tmp_path: Path, data: st.DataObject, kind: str
) -> None:
    document = json.loads(KINDS[kind].to_json())
    for _ in range(data.draw(st.integers(1, 2))):
        spots = [place for place in places(document) if place]
        if not spots:
            break
        *outer, last = data.draw(st.sampled_from(spots))
        holder = document
        for key in outer:
            holder = holder[key]
        put = data.draw(st.sampled_from([DELETED, *REPLACEMENTS]))
        if put is DELETED:
            del holder[last]
        else:
            holder[last] = copy.deepcopy(put)
    read(KINDS[kind], tmp_path / "a.json", json.dumps(document).encode())


@settings(deadline=None, max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), kind=st.sampled_from(sorted(KINDS)))
def test_bytes_changed_or_cut_off_anywhere_are_refused_in_one_sentence_or_printed(
    tmp_path: Path, data: st.DataObject, kind: str
) -> None:
    content = bytearray(KINDS[kind].to_json().encode())
    at = data.draw(st.integers(0, len(content) - 1))
    if data.draw(st.booleans()):
        content[at:] = data.draw(st.binary(max_size=4))
    else:
        content[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=4))
    read(KINDS[kind], tmp_path / "a.json", bytes(content))


DAMAGED = {
    "empty": (b"", "not a saved"),
    "not UTF-8": (b"\xff\xfe{}", "not text in UTF-8"),
    "cut off": (b'{"schema": "identikit/', "not a saved"),
    "nested beyond the stack": (b"[" * 200_000, "nested"),
    "nested deeply": (b'{"a":' * 300 + b"1" + b"}" * 300, "nested"),
    "a key twice": (b'{"schema": 1, "schema": 2}', "'schema' stands twice"),
    "not a number": (b'{"a": NaN}', "NaN"),
    "a number of 5000 digits": (b'{"a": ' + b"9" * 5000 + b"}", "not a saved"),
    "foreign": (b'{"name": "package", "version": "1.0"}', "schema is None"),
    "a list": (b"[1, 2]", "schema is None"),
    "another schema": (b'{"schema": "identikit/other/1"}', "expected 'identikit/"),
}


@pytest.mark.parametrize("case", DAMAGED)
@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_document_says_what_is_wrong(kind: str, case: str, tmp_path: Path) -> None:
    content, expected = DAMAGED[case]
    assert expected in read(KINDS[kind], tmp_path / "a.json", content)


def test_a_wrong_type_is_named_with_its_place(tmp_path: Path) -> None:
    document = RESULT.as_dict()
    document["parameters"]["k"]["std"] = "small"
    with pytest.raises(DataError, match=r"parameters of 'k', std is \"small\": expected a number"):
        Result.from_dict(document)


def test_a_folder_in_the_place_of_the_file_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="not a saved result"):
        Result.load(tmp_path)
