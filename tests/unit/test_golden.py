"""Golden answers: what the comparison finds, what it lets pass, and that what is frozen is whole."""

from __future__ import annotations

import copy
import hashlib
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import arithmetics
from golden import frozen, outcomes
from golden.__main__ import changes, freeze, main
from golden.cells import EXCLUDED, is_cell
from golden.comparison import Kind, differences, different_texts
from golden.outcomes import Outcome
from golden.panels import panels_of
from golden.records import record_of
from golden.running import names, tasks
from golden.scatter import LEAST, MOST, MOST_LOOSE, Tolerance, scatter_between
from golden.shape import shape_of
from golden.template import template_of
from golden.verdict import Verdict, form_differences, judged

CELL, WHOLE = "duffing/kalman", "duffing/kalman_whole"
FROZEN = frozen.read_frozen()
Form = dict[str, Any]


def verdict(name: str, form: Form, scatter: Form | None = None) -> Verdict:
    return judged(name, FROZEN[name], form, scatter or {})


def moved(form: Form, by: float) -> Form:
    """A form of which an estimate is so many standard errors beside."""
    other = copy.deepcopy(form)
    parameters = other.get("parameters") or other["document"]["parameters"]
    item = next(item for item in parameters.values() if item["std"])
    item["value"] += by * item["std"]
    return other


@pytest.mark.parametrize("name", [CELL, WHOLE])
def test_what_is_frozen_does_not_differ_from_itself(name: str) -> None:
    assert form_differences(FROZEN[name], copy.deepcopy(FROZEN[name])) == []


@pytest.mark.parametrize("name", [CELL, WHOLE])
def test_an_estimate_five_hundredths_of_a_standard_error_beside_is_found(name: str) -> None:
    (found,) = verdict(name, moved(FROZEN[name], 0.05)).counted
    assert found.kind is Kind.NUMBER
    assert found.distance == pytest.approx(0.05, rel=1e-3)


@pytest.mark.parametrize("name", [CELL, WHOLE])
def test_one_hundredth_passes(name: str) -> None:
    """Negative control."""
    passed = verdict(name, moved(FROZEN[name], 0.01))
    assert passed.counted == ()
    assert passed.furthest == pytest.approx(0.01, rel=1e-3)


def test_a_standard_error_that_is_five_per_cent_larger_is_found() -> None:
    other = copy.deepcopy(FROZEN[CELL])
    next(iter(other["parameters"].values()))["std"] *= 1.05
    (found,) = verdict(CELL, other).counted
    assert found.distance == pytest.approx(0.05, rel=1e-3)


@pytest.mark.parametrize("name", [CELL, WHOLE])
def test_another_status_is_found(name: str) -> None:
    found = verdict(name, {**FROZEN[name], "status": "misfit"})
    assert found.other_status
    assert (found.was, found.now) == ("ok", "misfit")


@pytest.mark.parametrize("name", [CELL, WHOLE])
def test_another_finding_is_found(name: str) -> None:
    found = verdict(name, {**FROZEN[name], "codes": [*FROZEN[name]["codes"], "strongly_correlated"]})
    assert [item.kind for item in found.counted] == [Kind.CODES]


def test_another_sentence_is_found_in_the_words_of_a_cell() -> None:
    other = {**FROZEN[CELL], "words": FROZEN[CELL]["words"].replace("estimated", "computed")}
    assert [item.kind for item in verdict(CELL, other).counted] == [Kind.WORDS]


def test_another_sentence_is_found_in_a_report_and_in_the_document() -> None:
    other = copy.deepcopy(FROZEN[WHOLE])
    other["texts"]["report"][0] += " indeed"
    other["document"]["status"]["message"] += " indeed"
    where = {item.where for item in verdict(WHOLE, other).counted if item.kind is Kind.WORDS}
    assert where == {".texts.report", ".document.status.message"}


def test_a_new_key_a_missing_number_and_a_longer_list_are_found() -> None:
    other = copy.deepcopy(FROZEN[WHOLE])
    other["document"]["news"] = 1
    other["document"]["noise"]["x"]["sigma"] = None
    other["document"]["initial_states"].append({})
    found = verdict(WHOLE, other).counted
    assert {item.where for item in found} == {".document.news", ".document.noise.x.sigma", ".document.initial_states"}
    assert {item.kind for item in found} == {Kind.STRUCTURE}


def test_a_tolerance_is_twice_the_scatter_and_never_less_than_two_hundredths() -> None:
    narrow = {"nehalem": {"furthest": 0.001}, "beside": {"furthest": 0.004}}
    wide = {"nehalem": {"furthest": 0.03}, "beside": {"furthest": 0.04}}
    assert Tolerance(narrow, by_place=False).of("") == LEAST
    assert Tolerance(wide, by_place=False).of("") == pytest.approx(0.08)
    assert verdict(CELL, moved(FROZEN[CELL], 0.05), wide).counted == ()
    assert verdict(CELL, moved(FROZEN[CELL], 0.09), wide).counted


def test_a_cell_that_scatters_more_is_compared_by_status_and_codes_only() -> None:
    scatter = {"nehalem": {"furthest": 0.6 * MOST, "other": [".words"]}}
    other = {**moved(FROZEN[CELL], 30.0), "words": "something else"}
    assert verdict(CELL, other, scatter).counted == ()
    assert verdict(CELL, {**other, "status": "misfit"}, scatter).other_status
    assert verdict(CELL, {**other, "codes": ["unclassified"]}, scatter).counted


def test_a_number_of_an_answer_that_scatters_does_not_excuse_the_others() -> None:
    place = ".document.noise.x.sigma"
    scatter = {"nehalem": {"furthest": 5.0, "places": {place: 5.0}}}
    other = copy.deepcopy(FROZEN[WHOLE])
    other["document"]["noise"]["x"]["sigma"] *= 1.5
    assert verdict(WHOLE, other, scatter).counted == ()
    assert [item.where for item in verdict(WHOLE, moved(other, 0.05), scatter).counted] != [place]
    assert verdict(WHOLE, moved(other, 0.05), scatter).counted


def test_an_answer_of_which_many_numbers_scatter_is_compared_by_its_words() -> None:
    old = {"status": "ok", "codes": [], "document": {"values": [{"value": 1.0 + k} for k in range(60)], "text": "so"}}
    new = {"status": "ok", "codes": [], "document": {"values": [{"value": 2.0 + k} for k in range(60)], "text": "so"}}
    entry = scatter_between(old, new, form_differences(old, new))
    assert entry["places"] == 60
    assert judged("duffing/look", old, new, {"nehalem": entry}).counted == ()
    new["document"]["text"] = "not so"
    assert [item.kind for item in judged("duffing/look", old, new, {"nehalem": entry}).counted] == [Kind.WORDS]


def test_a_status_that_hangs_on_the_arithmetic_is_kept_as_such() -> None:
    other = {**FROZEN[CELL], "status": "misfit"}
    entry = scatter_between(FROZEN[CELL], other, form_differences(FROZEN[CELL], other))
    assert entry["status"] == ["ok", "misfit"]
    assert Tolerance({"nehalem": entry}, by_place=False).hangs


def test_words_are_compared_with_their_numbers_cut_out() -> None:
    text = "k3 is 10.05 +- 0.12 (95 %), -1.5e-05 below; 1/s"
    found = template_of(text)
    assert found.words == "k3 is # +- # (# %), # below; #/s"
    assert found.numbers == ("10.05", "0.12", "95", "-1.5e-05", "1")


def test_numbers_in_words_may_differ_by_one_in_their_last_place_only() -> None:
    assert list(different_texts("leaves 0.0512 rms", "leaves 0.0513\nrms", "")) == []
    assert [item.kind for item in different_texts("leaves 0.0512 rms", "leaves 0.0612 rms", "")] == [Kind.NUMBER]
    assert [item.kind for item in different_texts("leaves 0.0512 rms", "left 0.0512 rms", "")] == [Kind.WORDS]


def test_numbers_without_a_standard_error_are_compared_by_their_size() -> None:
    (found,) = differences({"sigma": 2.0}, {"sigma": 2.01})
    assert found.distance == pytest.approx(0.1, rel=0.01)
    (found,) = differences({"p_value": 1e-9}, {"p_value": 1e-3})
    assert found.distance == pytest.approx(0.02, rel=0.01)
    (found,) = differences({"log": -1e5}, {"log": -1e5 + 0.1})
    assert found.distance == pytest.approx(0.1, rel=0.01)


def test_covariances_are_compared_over_the_standard_deviations_of_their_parameters() -> None:
    old = {"names": ["a", "b"], "matrix": [[1e-8, 0.0], [0.0, 4.0]]}
    new = {"names": ["a", "b"], "matrix": [[1e-8, 2e-5], [0.0, 4.0]]}
    (found,) = differences(old, new)
    assert found.where == ".matrix[0][1]"
    assert found.distance == pytest.approx(0.05)


def test_a_long_list_is_kept_by_some_of_its_places_and_its_mean() -> None:
    values = list(np.sin(np.arange(1000) / 100))
    other = [*values[:500], values[500] + 200.0, *values[501:]]
    found = list(differences(shape_of(values), shape_of(other)))
    assert {item.where for item in found} >= {".size", ".mean"}
    assert list(differences(shape_of(values), shape_of(list(values)))) == []


def test_clocks_and_versions_are_left_out_of_a_document() -> None:
    document = {"seconds": {"total": 1.0}, "entries": [{"seconds": 2.0, "value": 1.0}], "identikit": "1"}
    assert shape_of(document) == {"entries": [{"value": 1.0}]}


def test_a_moved_line_and_another_label_are_seen_in_a_picture() -> None:
    from matplotlib.figure import Figure

    def drawn(height: float, label: str) -> Any:
        figure = Figure()
        axes = figure.add_subplot()
        axes.plot([0.0, 1.0, 2.0], [0.0, height, 0.0], label="model")
        axes.fill_between([0.0, 1.0], [0.0, 0.0], [1.0, height])
        axes.set_xlabel(label)
        axes.legend()
        return shape_of(panels_of(figure))

    assert list(differences(drawn(1.0, "time [s]"), drawn(1.0, "time [s]"))) == []
    assert {item.kind for item in differences(drawn(1.0, "time [s]"), drawn(1.1, "time [s]"))} == {Kind.NUMBER}
    (found,) = differences(drawn(1.0, "time [s]"), drawn(1.0, "angle [s]"))
    assert (found.where, found.kind) == (".axes[0].x", Kind.WORDS)


def test_an_outcome_is_taken_up_again_by_the_same_source_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outcomes.keep(tmp_path, Outcome("duffing/look", {"a": 1}))
    assert outcomes.kept(tmp_path, "duffing/look") == Outcome("duffing/look", {"a": 1})
    monkeypatch.setattr(outcomes, "source_digest", lambda: "another")
    assert outcomes.kept(tmp_path, "duffing/look") is None


def test_what_is_frozen_is_read_as_it_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frozen, "FOLDER", tmp_path)
    some = {name: form for name, form in FROZEN.items() if name.startswith(("duffing/", "pages/"))}
    frozen.write_frozen(some)
    assert frozen.read_frozen() == some
    assert len((tmp_path / "cells.json").read_text().splitlines()) == 2 + sum(map(is_cell, some))  # a line for each


def test_freezing_asks_for_a_reason(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["golden", "--freeze", "--reason", "  "])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert "a reason" in capsys.readouterr().err


def test_a_freezing_prints_old_and_new_and_keeps_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {name: form for name, form in FROZEN.items() if name.startswith("duffing/")}
    monkeypatch.setattr(frozen, "FOLDER", tmp_path)
    frozen.write_frozen(before)
    after = {
        **before,
        CELL: {**FROZEN[CELL], "status": "misfit"},
        "duffing/energy": moved(FROZEN["duffing/energy"], 1e-3),
    }
    assert freeze(after, "a bug of the filter is mended", ["duffing"]) == 0
    assert f"status of {CELL}: ok -> misfit" in capsys.readouterr().out
    kept = frozen.read_frozen()
    assert kept[CELL]["status"] == "misfit"
    assert kept["duffing/energy"] == before["duffing/energy"]  # within its tolerance: the file does not change
    reasons = (tmp_path / "reasons.md").read_text()
    assert "a bug of the filter is mended" in reasons
    assert f"**{CELL}: ok -> misfit**" in reasons


def test_what_was_ended_by_its_limit_is_not_frozen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frozen, "FOLDER", tmp_path)
    assert freeze({CELL: {"status": "error", "codes": [], "words": f"{outcomes.TOO_SLOW}: more"}}, "why", ["duffing"])
    assert not list(tmp_path.iterdir())


def test_a_freezing_lists_what_became_ok_or_ceased_to_be_before_all_else() -> None:
    changed = [verdict(CELL, moved(FROZEN[CELL], 1.0)), verdict(CELL, {**FROZEN[CELL], "status": "misfit"})]
    first, second = changes(changed, [], True)
    assert first == f"**{CELL}: ok -> misfit**"
    assert second.startswith(f"{CELL}: ok -> ok; furthest 1 standard errors")


def test_every_cell_and_answer_is_frozen_or_left_out_for_a_reason() -> None:
    every = {name for task in tasks() for name in names(task)}
    assert every - FROZEN.keys() == set()
    assert {name.removesuffix("_whole") for name in FROZEN} - every == set()
    assert all(len(reason) > 20 for reason in EXCLUDED.values())


def test_few_cells_freeze_status_and_codes_only() -> None:
    scatter = frozen.read_scatter()
    loose = [name for name in FROZEN if is_cell(name) and Tolerance(scatter.get(name, {}), by_place=False).loose]
    assert len(loose) <= MOST_LOOSE


def test_the_records_have_the_same_bits_everywhere() -> None:
    """A chaotic one too: digests taken where the records were made."""
    for name, digest in RECORDS.items():
        record = record_of(name)
        content = record.time.tobytes() + b"".join(channel.values.tobytes() for channel in record.channels.values())
        assert hashlib.sha256(content).hexdigest()[:16] == digest, name


RECORDS = {"lorenz": "01abeaace06d8a63", "pendulum": "e5c3e5322ab37478", "coupled_chua": "8e151ffee31ae234"}


def test_an_arithmetic_is_an_environment_with_nothing_of_another_left_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Haswell")
    monkeypatch.setenv("IDENTIKIT_TEST_PERTURB", "1e-12")
    assert not {"OPENBLAS_CORETYPE", "IDENTIKIT_TEST_PERTURB"} & arithmetics.environment_of("native").keys()
    both = arithmetics.environment_of("nehalem+beside")
    assert both["OPENBLAS_CORETYPE"] == "Nehalem"
    assert both["IDENTIKIT_TEST_PERTURB"] == "1e-12"


def test_an_arithmetic_that_is_not_there_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SystemExit, match="no arithmetic 'itanium'"):
        arithmetics.environment_of("itanium")
    monkeypatch.setattr(arithmetics, "processor_flags", lambda: frozenset({"avx2"}))
    with pytest.raises(SystemExit, match="no avx512f"):
        arithmetics.environment_of("skylakex")


def test_a_command_runs_in_the_arithmetic_that_was_asked_for() -> None:
    """And says what the libraries really use."""
    script = str(Path(arithmetics.__file__))
    ended = subprocess.run(
        [sys.executable, script, "nehalem", "--", sys.executable, "-c", "import os; print(os.environ['XLA_FLAGS'])"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "beyond its lowest: nothing" in ended.stdout
    assert "openblas Nehalem" in ended.stdout
    assert ended.stdout.splitlines()[-1] == "--xla_cpu_max_isa=SSE4_2"
