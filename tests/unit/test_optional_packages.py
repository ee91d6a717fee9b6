"""Without an optional package, what needs it gives the line that installs it, and everything else works."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest

import identikit as ik
from identikit.cli.main import main
from identikit.errors import MissingDependencyError, need

OPTIONAL = {
    "pyarrow": "parquet", "openpyxl": "excel", "h5py": "hdf5", "gudhi": "topological", "pandas": "dataframe",
    "pyoperon": "discovery", "plotly": "report",
}  # fmt: skip
TIME = np.arange(400) * 0.1


@pytest.fixture
def swing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A decay in a text file, where no optional package is installed."""
    for package in OPTIONAL:
        monkeypatch.setitem(sys.modules, package, None)
    values = np.exp(-0.05 * TIME) * np.cos(TIME) + 0.001 * np.random.default_rng(0).standard_normal(len(TIME))
    path = tmp_path / "swing.csv"
    path.write_text("t,x\n" + "\n".join(f"{t},{x}" for t, x in zip(TIME, values, strict=True)))
    return path


@pytest.mark.parametrize(("package", "extra"), OPTIONAL.items())
def test_every_optional_package_is_in_its_extra(package: str, extra: str) -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    assert any(line.startswith(f"{package}>=") for line in extras[extra])
    assert extra in extras["all"][0]
    assert not any(line.startswith(package) for line in project["dependencies"])


def test_parquet_files_ask_for_pyarrow(swing: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "out.parquet"
    target.write_bytes(b"PAR1")
    with pytest.raises(MissingDependencyError, match=r"pyarrow .* pip install 'identikit\[parquet\]'"):
        ik.load(target)
    assert main(["simulate", "duffing", "-o", str(tmp_path / "new.parquet")]) == 2
    assert "pip install 'identikit[parquet]'" in capsys.readouterr().err
    assert not (tmp_path / "new.parquet").exists()


@pytest.mark.parametrize(
    ("name", "package", "extra"),
    [("run.xlsx", "openpyxl", "excel"), ("run.h5", "h5py", "hdf5"), ("new.mat", "h5py", "hdf5")],
)
def test_workbooks_and_hdf5_files_ask_for_their_packages(
    swing: Path, tmp_path: Path, name: str, package: str, extra: str
) -> None:
    target = tmp_path / name
    target.write_bytes(b"MATLAB 7.3 MAT-file".ljust(124) + b"\x00\x02IM" + b"\0" * 400)
    with pytest.raises(MissingDependencyError, match=rf"{package} .* pip install 'identikit\[{extra}\]'"):
        ik.load(target)


def test_the_topological_method_asks_for_gudhi(swing: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fit", str(swing), "--model", "duffing", "--method", "topological"]) == 2
    assert (
        "gudhi is needed for this and is not installed: pip install 'identikit[topological]'" in capsys.readouterr().err
    )


def test_everything_else_works(swing: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Negative control: what needs nothing optional does not ask for it."""
    assert main(["methods"]) == 0
    assert main(["methods", "topological"]) == 0
    assert "pip install 'identikit[topological]'" in capsys.readouterr().out
    result = ik.fit(swing, "duffing")
    assert result.ok, result.status
    assert result.value("k") == pytest.approx(1.0, abs=0.02)


def test_a_package_that_is_installed_and_broken_inside_is_not_called_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "half_installed.py").write_text("import a_part_that_is_lacking")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="a_part_that_is_lacking"):
        need("half_installed", extra="anything")
