"""The public names: seen by editors and type checkers, loaded when used, and results that can be worked with."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

import identikit as ik
from identikit.errors import MissingDependencyError, OptionError
from identikit.explore import examine
from identikit.result import Result


@pytest.fixture(scope="module")
def record() -> ik.Record:
    return ik.simulate("duffing", duration=20, dt=0.05, seed=1)


@pytest.fixture(scope="module")
def result(record: ik.Record) -> Result:
    return ik.fit(record, "duffing", method="shooting")


def test_every_public_name_is_there_listed_and_declared_for_type_checkers() -> None:
    for name in ik.__all__:
        assert getattr(ik, name) is not None
    assert set(dir(ik)) == set(ik.__all__)
    tree = ast.parse(Path(ik.__file__).read_text(encoding="utf-8"))
    declared = {
        (alias.asname, node.module)
        for block in ast.walk(tree)
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert declared == set(ik._HOMES.items())


def test_a_type_checker_sees_results_and_wrong_keywords(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        textwrap.dedent("""
        import identikit as ik
        reveal_type(ik.fit("a.csv", "pendulum", free=["w0"]))
        reveal_type(ik.simulate("pendulum").channels)
        ik.fit("a.csv", "pendulum", fre=["w0"])
        ik.fit("a.csv", "pendulum", seed="one")
        """)
    )
    others = ["--no-site-packages", "--ignore-missing-imports"]  # whose types take seconds to read
    settings = ["--follow-imports=silent", *others, f"--cache-dir={tmp_path}"]
    found = {**os.environ, "MYPYPATH": str(Path(ik.__file__).parents[1])}
    command = [sys.executable, "-m", "mypy", *settings, str(program)]
    done = subprocess.run(command, capture_output=True, text=True, env=found)
    lines = done.stdout.splitlines()
    assert "identikit.result._result.Result" in lines[0]
    assert "Mapping" in lines[1]
    assert 'Unexpected keyword argument "fre"' in done.stdout
    assert 'expected "int"' in done.stdout
    assert "Found 2 errors" in done.stdout


def test_importing_the_package_imports_nothing_heavy() -> None:
    program = "import sys, identikit; dir(identikit); print([m for m in ('numpy', 'sympy', 'jax') if m in sys.modules])"
    assert subprocess.check_output([sys.executable, "-c", program], text=True).strip() == "[]"


def test_simulate_runs_the_example_experiment_and_what_is_asked_instead() -> None:
    model = ik.library_model("duffing")
    assert model.ready is not None
    example = ik.simulate("duffing", seed=3)
    assert example.duration == pytest.approx(model.ready.duration)
    clean = ik.simulate(model, np.linspace(0, 1, 11), parameters={"c": 0.0}, initial={"x": 0.2}, noise={})
    assert len(clean) == 11 and clean.channels["x"].values[0] == pytest.approx(0.2, rel=1e-11)
    noisy = ik.simulate(model, np.linspace(0, 1, 2001), noise={"x": 0.01}, seed=1).channels["x"].values
    quiet = ik.simulate(model, np.linspace(0, 1, 2001), noise={}).channels["x"].values
    assert np.std(noisy - quiet) == pytest.approx(0.01, rel=0.1)
    with pytest.raises(OptionError, match="at least 3"):
        ik.simulate(model, duration=1, dt=1)


def test_simulate_takes_inputs_as_expressions_or_columns() -> None:
    time = np.arange(0, 4.0, 0.01)
    written = ik.simulate("friction_drive", time, inputs={"u": "sin(3*t)"}, noise={})
    columns = ik.Record.from_arrays(time, u=np.sin(3 * time), time_unit="s")
    name = next(iter(written.channels))
    driven = ik.simulate("friction_drive", inputs_from=columns, noise={})
    assert driven.channels[name].values == pytest.approx(written.channels[name].values, abs=1e-3)


def test_a_result_simulates_itself(result: Result, record: ik.Record) -> None:
    again = result.simulate(record.time).channels["x"].values
    curve = result.artifacts["x, duffing"]
    assert again == pytest.approx(np.asarray(curve["modelled"]), abs=1e-6)
    moved = result.simulate(record.time, initial={"x": 0.5}).channels["x"].values
    assert moved[0] == pytest.approx(0.5, rel=1e-11)


def test_the_covariance_is_that_of_the_table(result: Result) -> None:
    assert result.covariance is not None
    assert tuple(result.covariance["names"]) == result.free
    matrix = np.array(result.covariance["matrix"])
    assert np.sqrt(np.diag(matrix)) == pytest.approx([result.parameters[name].std for name in result.free])
    assert np.linalg.eigvalsh(matrix).min() > 0
    correlation = result.diagnostics["identifiability"]["correlation"]["c"]["k"]
    assert matrix[0, 1] / np.sqrt(matrix[0, 0] * matrix[1, 1]) == pytest.approx(correlation)


def test_information_criteria_prefer_the_model_that_is_true(record: ik.Record, result: Result) -> None:
    poorer = ik.fit(record, "duffing", method="shooting", fix={"k3": 0.0}, free=["c", "k"])
    assert result.aic is not None and poorer.aic is not None and result.bic is not None and poorer.bic is not None
    assert result.aic < poorer.aic - 10
    assert result.bic < poorer.bic - 10
    residual = np.asarray(result.artifacts["x, duffing"]["measured"]) - result.artifacts["x, duffing"]["modelled"]
    level, n = np.sqrt(np.mean(residual**2)), len(residual)
    assert result.log_likelihood == pytest.approx(-n * np.log(level * np.sqrt(2 * np.pi)) - n / 2)
    assert result.aic == pytest.approx(-2 * result.log_likelihood + 2 * 6)  # three parameters, two states, one level
    assert result.bic == pytest.approx(-2 * result.log_likelihood + np.log(n) * 6)


def test_a_result_is_short_in_a_console_and_a_table_in_a_notebook(result: Result) -> None:
    assert repr(result).startswith("<Result ok, duffing by shooting: c = ")
    assert len(repr(result)) < 200
    page = result._repr_html_()
    assert page.count("<tr>") == 1 + len(result.parameters)
    assert "k3" in page and "background:#2e7d32" in page


def test_names_from_outside_cannot_run_in_a_notebook(result: Result) -> None:
    from dataclasses import replace

    page = replace(result, model="<script>alert(1)</script>")._repr_html_()
    assert "<script>" not in page


def test_a_result_becomes_a_dataframe(result: Result, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = result.to_dataframe()
    assert frame.loc["k", "value"] == result.value("k")
    assert frame.loc["k", "ci95_low"] < result.value("k") < frame.loc["k", "ci95_high"]
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingDependencyError, match="pip install"):
        result.to_dataframe()


def test_whatever_there_is_can_be_drawn(result: Result, record: ik.Record, tmp_path: Path) -> None:
    wells = examine(ik.library_model("duffing"), "wells")
    for index, what in enumerate((result, record, ik.Experiment((record, record)), wells)):
        figure = ik.plot(what, tmp_path / f"{index}.png")
        assert (tmp_path / f"{index}.png").stat().st_size > 1000
        assert figure._repr_png_().startswith(b"\x89PNG")  # type: ignore[attr-defined]
    assert result.plot() is not None


def test_an_old_document_loads(result: Result) -> None:
    document = result.as_dict()
    for key in ("covariance", "findings", "question", "model_text", "discovered", "verdict"):
        del document[key]
    old = Result.from_dict(document)
    assert old.covariance is None and old.question is None and old.findings == ()
    assert old.value("k") == result.value("k")
