"""`identikit damping` as a user types it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from identikit.cli.main import main
from reference import horizontal_pendulum

TIMES = np.arange(2001) * 0.01


def write(path: Path, theta: np.ndarray, header: str = "t[s],theta[rad]") -> str:
    noise = 0.001 * np.random.default_rng(0).standard_normal(len(theta))
    np.savetxt(path, np.column_stack([TIMES[: len(theta)], theta + noise]), delimiter=",", header=header, comments="")
    return str(path)


@pytest.fixture(scope="module")
def decay(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write(tmp_path_factory.mktemp("decay") / "decay.csv", horizontal_pendulum(TIMES, zeta=0.08)[0][0])


def test_a_decay_gets_a_table_a_sentence_a_file_and_a_picture(
    decay: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved, picture = tmp_path / "damping.json", tmp_path / "damping.png"
    code = main(["damping", decay, "--model", "horizontal_pendulum", "--json", str(saved), "--plot", str(picture)])
    printed = capsys.readouterr().out
    assert code == 0
    assert "The decay is viscous damping" in printed and "held-out / noise" in printed
    assert "logarithmic decrement" in printed and "half-power width" in printed
    document = json.loads(saved.read_text())
    assert document["schema"] == "identikit/damping/1" and document["best"] == "viscous"
    assert len(document["laws"]) == 8
    assert sum(law["weight"] for law in document["laws"]) == pytest.approx(1)
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_json_to_standard_output_is_nothing_but_json(decay: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["damping", decay, "--model", "horizontal_pendulum", "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["best"] == "viscous"


def test_a_growing_record_ends_with_3_and_its_json_says_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    growing = write(tmp_path / "growing.csv", 0.1 * np.exp(0.1 * TIMES) * np.cos(4 * TIMES))
    assert main(["damping", growing, "--json", str(tmp_path / "out.json")]) == 3
    assert "grows" in capsys.readouterr().err
    document = json.loads((tmp_path / "out.json").read_text())
    assert document["status"]["code"] == "not_applicable" and document["laws"] == []


@pytest.mark.parametrize(
    ("extra", "words"),
    [
        (["--model", "no_such_model"], "no_such_model"),
        (["--model", "double_pendulum"], "one degree of freedom"),
        (["--map", "x=nothing"], "nothing"),
        (["--model", "horizontal_pendulum", "--fix", "zeta=-1"], "zeta"),
        (["--plot", "out.txt"], "ending"),
    ],
)
def test_wrong_input_ends_with_2_and_one_line(
    decay: str, extra: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["damping", decay, *extra]) == 2
    error = capsys.readouterr().err
    assert words in error and error.count("\n") == 1
