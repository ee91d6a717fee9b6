"""`simulate` writes what `fit` reads: the model's own names, units in the header, every digit, inputs too."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from identikit.cli.main import main
from identikit.measurement import load

SHORT = ["simulate", "horizontal_pendulum", "--duration", "1", "--dt", "0.1", "--noise", "theta=0"]


def test_header_names_outputs_inputs_and_units(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(SHORT) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "t[s],theta[rad],q_h,q_v"
    assert [line.split(",")[0] for line in lines[1:]] == [repr(round(0.1 * i, 1)) for i in range(11)]


@pytest.mark.parametrize("name", ["swing.csv", "swing.tsv", "swing.txt", "swing.dat", "swing.parquet", "swing"])
def test_every_format_holds_the_same_record(name: str, tmp_path: Path) -> None:
    assert main([*SHORT, "-o", str(tmp_path / "reference.csv")]) == 0
    assert main([*SHORT, "-o", str(tmp_path / name)]) == 0
    reference, record = load(tmp_path / "reference.csv")[0], load(tmp_path / name)[0]
    assert record.digest() == reference.digest()
    assert record.time_unit == "s"
    assert record.channels["theta"].unit == "rad"


def test_standard_output_equals_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(SHORT) == 0
    printed = capsys.readouterr().out
    assert main([*SHORT, "-o", str(tmp_path / "swing.csv")]) == 0
    assert (tmp_path / "swing.csv").read_text() == printed
    assert [path.name for path in tmp_path.iterdir()] == ["swing.csv"]


def test_without_options_the_ready_experiment_runs_with_its_noise(tmp_path: Path) -> None:
    assert main(["simulate", "duffing", "-o", str(tmp_path / "noisy.csv")]) == 0
    assert main(["simulate", "duffing", "--noise", "x=0", "-o", str(tmp_path / "clean.csv")]) == 0
    noisy, clean = load(tmp_path / "noisy.csv")[0], load(tmp_path / "clean.csv")[0]
    assert len(noisy) == 601
    assert noisy.time[-1] == 30.0
    assert clean.channels["x"].values[0] == pytest.approx(2.0, rel=1e-11)
    spread = np.std(noisy.channels["x"].values - clean.channels["x"].values)
    assert spread == pytest.approx(0.05, rel=0.15)


def test_the_seed_decides_the_noise(capsys: pytest.CaptureFixture[str]) -> None:
    printed = []
    for seed in ("1", "1", "2"):
        assert main(["simulate", "duffing", "--duration", "1", "--seed", seed]) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1] != printed[2]


@pytest.mark.parametrize(("kind", "power"), [("raw", lambda x: np.mean(x**2)), ("ac", np.var), ("unit", lambda x: 1.0)])
def test_noise_follows_the_signal_to_noise_ratio(kind: str, power, tmp_path: Path) -> None:
    base = ["simulate", "duffing", "--dt", "0.002", "--initial", "x=3"]
    assert main([*base, "--noise", "x=0", "-o", str(tmp_path / "clean.csv")]) == 0
    assert main([*base, "--snr", "20", "--snr-kind", kind, "-o", str(tmp_path / "noisy.csv")]) == 0
    clean = load(tmp_path / "clean.csv")[0].channels["x"].values
    noise = load(tmp_path / "noisy.csv")[0].channels["x"].values - clean
    assert np.std(noise) == pytest.approx(math.sqrt(power(clean) / 100), rel=0.03)


def test_an_input_by_expression_is_written_in_its_column(tmp_path: Path) -> None:
    file = tmp_path / "driven.csv"
    assert main([*SHORT, "--input", "q_v=0.2*sin(3*t)", "--input", "q_h=k/100", "-o", str(file)]) == 0
    record = load(file)[0]
    assert list(record.channels) == ["theta", "q_h", "q_v"]
    np.testing.assert_allclose(record.channels["q_v"].values, 0.2 * np.sin(3 * record.time), rtol=1e-15)
    np.testing.assert_allclose(record.channels["q_h"].values, 0.2)


def test_sampled_inputs_drive_the_model_over_their_own_time(tmp_path: Path) -> None:
    steps = tmp_path / "steps.csv"
    steps.write_text("t[ms],q_v\n1000,0\n1500,0\n2000,0.5\n2500,0.5\n3000,0.5\n")
    common = ["simulate", "horizontal_pendulum", "--inputs-from", str(steps), "--noise", "theta=0"]
    for hold, middle in (("linear", 0.25), ("zero_order", 0.0)):
        out = tmp_path / f"{hold}.csv"
        assert main([*common, "--hold", hold, "--dt", "0.25", "-o", str(out)]) == 0
        record = load(out)[0]
        assert (record.time[0], record.time[-1]) == (1.0, 3.0)
        assert record.channels["q_v"].values[3] == pytest.approx(middle)
        assert not record.channels["q_h"].values.any()


def test_smooth_friction_never_sticks(tmp_path: Path) -> None:
    common = ["simulate", "horizontal_pendulum", "--set", "mu_c=0.5", "--duration", "8", "--dt", "0.1"]
    common += ["--noise", "theta=0"]
    assert main([*common, "-o", str(tmp_path / "dry.csv")]) == 0
    assert main([*common, "--smooth-friction", "0.01", "-o", str(tmp_path / "smooth.csv")]) == 0
    dry, smooth = (load(tmp_path / f"{name}.csv")[0].channels["theta"].values for name in ("dry", "smooth"))
    assert np.abs(np.diff(dry[-10:])).max() < 1e-12
    assert np.abs(np.diff(smooth[-10:])).max() > 1e-7


def test_a_linked_or_special_target_is_written_through(tmp_path: Path) -> None:
    target, link = tmp_path / "target.csv", tmp_path / "link.csv"
    target.write_text("old")
    link.symlink_to(target)
    assert main([*SHORT, "-o", str(link)]) == 0
    assert link.is_symlink()
    assert target.read_text().startswith("t[s],theta[rad]")
    assert main([*SHORT, "-o", "/dev/null"]) == 0
    assert Path("/dev/null").is_char_device()
