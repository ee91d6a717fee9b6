"""A method, a system, a file format, a finding, a command and a painter from a module that identikit has never seen.

Once by `register`, once by the entry points of an installed package; both through public names alone.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import identikit as ik
from identikit.cli.main import COMMANDS, main
from identikit.errors import DataError, IdentikitError, OptionError
from identikit.measurement import FORMATS
from identikit.method import METHODS
from identikit.model import LIBRARY
from identikit.plotting import PAINTERS, plot_fit
from identikit.registry import Registry
from identikit.result import KINDS, finding

MODULE = "one_of_each"
PLUGIN = '''
"""One of each, as a package of someone else would bring them."""

import time

import numpy as np

import identikit as ik
from identikit.errors import DataError
from identikit.measurement import Table
from identikit.method.toolkit import FilteredRegression, Method, MethodReport, Option
from identikit.method.toolkit import judge, regression_objections, smooth_curves
from identikit.model import Model, Parameter
from identikit.result import FindingKind, Severity, finding, register_finding

DRAWN = []
register_finding(FindingKind("leak", Severity.NOTE, "The tank leaks.", "Close the tap."))


def leaking_tank():
    return Model.from_text(
        "leaking_tank", equations={"h": "-rate*h"}, parameters=[Parameter("rate", 0.5, "1/s", (0, 10))], outputs=["h"]
    )


class Halving(Method):
    """Regression, to show that a method can be brought along."""

    name = "halving"
    title = "Regression of someone else"
    reference = "nobody, nowhere"
    options = (Option("width", 1.0, "number", "support of the filter", 0.1, 20),)

    def objections(self, problem):
        return regression_objections(problem)

    def estimate(self, problem, *, options, seed=0, progress=None):
        begun = time.perf_counter()
        curves = smooth_curves(problem)
        p = FilteredRegression(problem, curves, options["width"]).solve(seed)
        taken = time.perf_counter() - begun
        times = {"total": taken, "start": 0.0, "solve": taken}
        artifacts = {"drops": {"kind": "table", "what": "drops", "columns": ["t"], "rows": [[1.0], [2.0]]}}
        report = MethodReport(self.name, times, options, seed, artifacts=artifacts, history=False)
        return judge(problem, curves, p, report)


def read_pairs(path, reading):
    reading.refuse_columns(str(path))
    reading.refuse_sheets(str(path))
    lines = path.read_text().split()
    if not all(":" in line for line in lines):
        raise DataError(f"{path}: expected t:h in every line")
    return [Table.from_columns(path, ["t [s]", "h"], list(np.array([line.split(":") for line in lines], float).T))]


def draw_drops(block, result):
    block.subplots().plot([1.0, 2.0], [1.0, 2.0])
    DRAWN.append(result.method)


def configure(parser):
    parser.add_argument("data")
    parser.add_argument("--plot")


def run(arguments):
    result = ik.fit(arguments.data, "leaking_tank", method="halving")
    print(f"rate {result.value('rate'):.2f}, {result.method}")
    print(finding("leak", "half of it is gone after 1.4 s", "h"))
    if arguments.plot:
        from identikit.plotting import plot_fit

        plot_fit(result, arguments.plot)
    return 0
'''
ROWS: tuple[tuple[Registry, str, str, str], ...] = (
    (METHODS, "methods", "halving", f"{MODULE}:Halving"),
    (LIBRARY, "models", "leaking_tank", f"{MODULE}:leaking_tank"),
    (FORMATS, "formats", ".pairs", f"{MODULE}:read_pairs"),
    (COMMANDS, "commands", "tank", MODULE),
    (PAINTERS, "painters", "drops", f"{MODULE}:draw_drops"),
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The module, and a record in its own format: h = exp(-t/2), with noise."""
    (tmp_path / f"{MODULE}.py").write_text(PLUGIN)
    time = np.arange(200) * 0.02
    height = np.exp(-0.5 * time) + 0.01 * np.random.default_rng(0).standard_normal(len(time))
    (tmp_path / "run.pairs").write_text("\n".join(f"{t}:{h}" for t, h in zip(time, height, strict=True)))
    return tmp_path


@pytest.fixture
def added(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """One row in each registry, taken out again at the end."""
    monkeypatch.syspath_prepend(folder)
    for registry, _, name, path in ROWS:
        registry.register(name, path)
    assert MODULE not in sys.modules  # rows import nothing
    yield folder
    for registry, _, name, _ in ROWS:
        registry.remove(name)
    KINDS.pop("leak", None)
    sys.modules.pop(MODULE, None)


def plugin() -> ModuleType:
    return import_module(MODULE)


def test_a_fit_uses_method_system_and_format_from_outside(added: Path) -> None:
    result = ik.fit(added / "run.pairs", "leaking_tank", method="halving", options={"width": 2})
    assert result.ok, result.status
    assert result.method == "halving"
    assert result.value("rate") == pytest.approx(0.5, abs=0.02)


def test_a_painter_from_outside_draws_what_its_method_found(added: Path) -> None:
    result = ik.fit(added / "run.pairs", "leaking_tank", method="halving")
    plot_fit(result, added / "fit.png")
    assert plugin().DRAWN == ["halving"]
    assert (added / "fit.png").stat().st_size > 1000


def test_a_command_from_outside_runs_and_prints_its_finding(added: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tank", str(added / "run.pairs")]) == 0
    assert capsys.readouterr().out == "rate 0.50, halving\nhalf of it is gone after 1.4 s\n"
    assert main(["tank", "--colour"]) == 2
    assert "unknown option '--colour'" in capsys.readouterr().err


def test_what_is_listed_includes_what_came_from_outside(added: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words, expected in ((["methods"], "halving"), (["models"], "leaking_tank"), (["--help"], "tank")):
        assert main(words) == 0
        assert expected in capsys.readouterr().out


def test_a_fault_that_a_reader_from_outside_finds_is_an_input_error(added: Path) -> None:
    (added / "bad.pairs").write_text("1;2")
    with pytest.raises(DataError, match="expected t:h"):
        ik.load(added / "bad.pairs")


def test_without_a_row_each_is_refused_by_name(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Negative control."""
    with pytest.raises(OptionError, match="unknown method 'halving'"):
        ik.fit({"t": np.arange(50.0), "x": np.cos(np.arange(50.0))}, "duffing", method="halving")
    with pytest.raises(IdentikitError, match="unknown model 'leaking_tank'"):
        ik.library_model("leaking_tank")
    with pytest.raises(DataError, match=r"'.pairs', which is not known"):
        ik.load(folder / "run.pairs")
    with pytest.raises(OptionError, match="unknown finding 'leak'"):
        finding("leak", "")
    assert main(["tank"]) == 2
    assert "unknown command 'tank'" in capsys.readouterr().err


def test_an_installed_package_is_found_by_its_entry_points(folder: Path) -> None:
    """Nothing is registered by anyone: the package is merely there."""
    about = folder / f"{MODULE}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {MODULE}\nVersion: 1.0\n")
    groups = (f"[identikit.{group}]\n{name} = {path}\n" for _, group, name, path in ROWS)
    (about / "entry_points.txt").write_text("\n".join(groups))
    done = subprocess.run(
        [sys.executable, "-m", "identikit", "tank", "run.pairs", "--plot", "fit.png"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(Path(ik.__file__).parents[1])])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout == "rate 0.50, halving\nhalf of it is gone after 1.4 s\n"
    assert (folder / "fit.png").stat().st_size > 1000
