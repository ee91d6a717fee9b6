"""A first look names what is in a record: kind, rate, noise, colour, resolution, outliers, gaps, and what to do."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import identikit as ik
from identikit.errors import DataError
from identikit.result import KINDS, ColumnRole, MotionKind
from motions import (
    SIGMA,
    TIMES,
    Series,
    autoregressive,
    driven_duffing,
    driven_then_free,
    dry,
    step_response,
    two_modes,
    van_der_pol,
    viscous,
    white,
)

SEEDS = range(3)
MOTIONS = {
    "viscous": (viscous, MotionKind.FREE_DECAY),
    "dry": (dry, MotionKind.FREE_DECAY),
    "two modes": (two_modes, MotionKind.FREE_DECAY),
    "chaotic Duffing": (driven_duffing, MotionKind.DRIVEN),
    "driven, then free": (driven_then_free, MotionKind.DRIVEN_THEN_FREE),
    "van der Pol": (lambda: van_der_pol(2.0, 2.0), MotionKind.STEADY),
    "relaxation": (lambda: van_der_pol(50.0, 10.0), MotionKind.STEADY),
    "growing": (lambda: 0.2 * np.exp(0.08 * TIMES) * np.cos(3 * TIMES), MotionKind.GROWING),
    "step response": (step_response, MotionKind.TRANSIENT),
    "noise only": (lambda: np.zeros(len(TIMES)), MotionKind.REST),
}


def record(time: Series = TIMES, **columns: Series) -> ik.Record:
    return ik.Record.from_arrays(time, columns, time_unit="s", name="test")


def codes(report: ik.LookReport) -> set[str]:
    return {item.code for item in report.findings}


@pytest.mark.parametrize("name", MOTIONS)
def test_kind_rate_noise_and_colour_are_named_right(name: str) -> None:
    moved, kind = MOTIONS[name]
    motion = moved()
    for seed in SEEDS:
        report = ik.look(record(x=motion + SIGMA * white(seed)))
        column = report.column("x")
        assert report.motion.kind is kind
        assert report.clock.rate == pytest.approx(100)
        assert column.noise is not None
        assert column.noise.sigma == pytest.approx(SIGMA, rel=0.25)
        assert column.noise.white
        assert column.outliers == 0
        assert column.step is None
        assert report.findings == ()


def test_a_decay_of_one_oscillation_is_told_from_one_of_several() -> None:
    for seed in SEEDS:
        assert ik.look(record(x=viscous() + SIGMA * white(seed))).motion.single
        assert not ik.look(record(x=two_modes() + SIGMA * white(seed))).motion.single


def test_the_free_part_after_a_drive_is_named() -> None:
    report = ik.look(record(x=driven_then_free(15.0) + SIGMA * white(1)))
    begin = report.motion.free_from
    assert begin is not None
    assert 15 <= begin < 22
    assert report.suggestions[0].trim == (begin, None)


@pytest.mark.parametrize("coefficient", [0.5, 0.9])
def test_coloured_noise_is_named_with_its_level(coefficient: float) -> None:
    for seed in SEEDS:
        noise = SIGMA * autoregressive(seed, coefficient, 10000)
        time = np.arange(10000) * 0.01
        report = ik.look(record(time, x=viscous(time, 0.03) + noise))
        found = report.column("x").noise
        assert found is not None
        assert found.white is False
        assert found.coefficient == pytest.approx(coefficient, abs=0.06)
        assert found.sigma == pytest.approx(SIGMA, rel=0.25)
        assert found.correlation_time == pytest.approx(-0.01 / np.log(coefficient), rel=0.5)
        assert report.motion.kind is MotionKind.FREE_DECAY
        assert codes(report) == {"coloured_noise"}


def test_coloured_noise_alone_is_rest() -> None:
    for seed in SEEDS:
        assert ik.look(record(x=autoregressive(seed, 0.9))).motion.kind is MotionKind.REST


@pytest.mark.parametrize("noise", [0.0, 5e-5])
def test_a_temperature_that_drifts_by_small_steps_does_not_decide_the_kind_of_motion(noise: float) -> None:
    drift = np.round(21 + 5e-4 * TIMES + noise * white(3), 4)
    report = ik.look(record(temperature=drift, x=viscous() + SIGMA * white(1)))
    alone = ik.look(record(x=viscous() + SIGMA * white(1)))
    assert alone.motion.single and report.motion == alone.motion
    assert not report.column("temperature").lines  # a staircase is no oscillation
    assert [item.outputs for item in report.suggestions] == [{"x": "x"}, {"x": "x"}]


def test_a_decay_of_some_steps_keeps_its_frequency() -> None:
    """Negative control: its line is as small as that of a staircase, as the record goes on long after it."""
    decay = np.round(15 * np.exp(-0.5 * TIMES) * np.cos(9 * TIMES))
    report = ik.look(record(x=decay))
    assert report.column("x").lines[0].frequency == pytest.approx(9 / (2 * np.pi), rel=0.05)


@pytest.mark.parametrize(
    ("rest", "scale", "unit", "mapped"),
    [
        (np.pi, 1.0, "rad", "theta - pi"),
        (-np.pi, 1.0, "rad", "theta + pi"),
        (180.0, 180 / np.pi, "deg", "theta - 180"),
        (0.0, 1.0, "rad", "theta"),
    ],
)
def test_an_angle_counted_from_upright_is_counted_from_below(rest: float, scale: float, unit: str, mapped: str) -> None:
    swing = rest + scale * (viscous() + SIGMA * white(1))
    report = ik.look(ik.Record.from_arrays(TIMES, {"theta": swing}, units={"theta": unit}, time_unit="s"))
    assert report.suggestions[-1].outputs == {"theta": mapped}


def test_a_coarse_resolution_is_named_and_no_colour() -> None:
    for seed in SEEDS:
        exact = viscous()
        y = np.round((exact + SIGMA * white(seed)) / (4 * SIGMA)) * 4 * SIGMA
        report = ik.look(record(x=y))
        column = report.column("x")
        assert column.step == pytest.approx(4 * SIGMA)
        assert column.noise is not None
        assert column.noise.by_resolution
        assert column.noise.sigma == pytest.approx(float(np.std(y - exact)), rel=0.25)
        assert codes(report) == {"coarse_resolution"}


def test_outliers_are_counted_and_do_not_change_the_rest() -> None:
    for seed in SEEDS:
        y = viscous() + SIGMA * white(seed)
        wrong = np.random.default_rng(seed).random(len(y)) < 0.01
        y[wrong] += 40 * SIGMA
        report = ik.look(record(x=y))
        column = report.column("x")
        assert column.outliers == pytest.approx(wrong.sum(), rel=0.1)
        assert column.outlier_times[0] == pytest.approx(TIMES[wrong.argmax()])
        assert column.noise is not None
        assert column.noise.sigma == pytest.approx(SIGMA, rel=0.25)
        assert report.motion.kind is MotionKind.FREE_DECAY
        assert codes(report) == {"outliers_seen"}


def test_gaps_jitter_and_missing_values_are_named_and_do_no_harm() -> None:
    for seed in SEEDS:
        y = viscous() + SIGMA * white(seed)
        kept = (TIMES < 10) | (TIMES > 12)
        gap = ik.look(record(TIMES[kept], x=y[kept]))
        assert [(item.begin, item.end) for item in gap.clock.gaps] == [pytest.approx((9.99, 12.01))]
        assert codes(gap) == {"gap"}
        jittered = np.sort(TIMES + 0.003 * np.random.default_rng(seed).uniform(-1, 1, len(TIMES)))
        jitter = ik.look(record(jittered, x=viscous(jittered) + SIGMA * white(seed)))
        assert jitter.clock.jitter == pytest.approx(0.3 * np.sqrt(2 / 3), rel=0.1)
        assert codes(jitter) == {"uneven_clock"}
        holed = np.where(np.random.default_rng(seed).random(len(TIMES)) < 0.05, np.nan, y)
        missing = ik.look(record(x=holed))
        assert missing.column("x").missing == int(np.isnan(holed).sum())
        for report in (gap, jitter, missing):
            assert report.motion.kind is MotionKind.FREE_DECAY
            noise = report.column("x").noise
            assert noise is not None
            assert noise.white
            assert noise.sigma == pytest.approx(SIGMA, rel=0.25)


def test_a_step_response_with_a_command_unknown_at_first() -> None:
    command = np.where(TIMES < 2.3, np.nan, np.where(TIMES < 5, 0.0, 1.0))
    report = ik.look(record(x=step_response() + SIGMA * white(1), u=command))
    assert report.motion.kind is MotionKind.TRANSIENT
    assert report.column("u").role is ColumnRole.COMMAND
    assert report.column("u").first_known == pytest.approx(2.3)
    assert codes(report) == {"command_like", "unknown_at_first"}
    assert report.suggestions[0].inputs == {"u": "u"}


def test_a_motion_with_a_moving_input_is_driven() -> None:
    force = np.cos(2 * TIMES)
    report = ik.look(record(x=np.cos(2 * TIMES - 0.4) + SIGMA * white(1), F=force + SIGMA * white(2)))
    assert report.motion.kind is MotionKind.DRIVEN
    assert ik.look(record(x=np.cos(2 * TIMES - 0.4) + SIGMA * white(1))).motion.kind is MotionKind.STEADY


def test_columns_that_are_no_measurement_are_said_to_be() -> None:
    x = viscous() + SIGMA * white(1)
    report = ik.look(
        record(
            x=x, again=x, still=np.full(len(x), 3.0), empty=np.full(len(x), np.nan), run=np.repeat(np.arange(4.0), 1000)
        )
    )
    roles = {column.name: column.role.value for column in report.columns}
    assert roles == {"x": "measured", "again": "repeated", "still": "constant", "empty": "empty", "run": "runs"}
    assert report.column("run").contiguous
    assert report.suggestions[0].segments is None


def test_limits_turns_and_slow_sensors_are_named() -> None:
    cut = ik.look(record(x=np.clip(viscous(rate=0.05), -0.6, 0.6)))
    assert "sensor_at_limit" in codes(cut)
    turning = record(theta=np.angle(np.exp(1j * (2.5 * TIMES + SIGMA * white(1)))))
    assert "wrapped_angle" in codes(ik.look(turning))
    slow = ik.look(record(x=np.repeat((viscous() + SIGMA * white(1))[::5], 5)))
    assert "slow_column" in codes(slow)
    assert slow.column("x").noise is not None


def test_a_short_record_is_not_over_interpreted() -> None:
    report = ik.look(record(np.arange(21.0), hare=30 + 25 * np.cos(0.6 * np.arange(21)), lynx=20 + white(1, 21)))
    assert report.motion.kind is MotionKind.UNCLEAR
    assert all(column.noise is None and column.lines == () for column in report.columns)
    assert codes(report) == {"few_samples"}
    assert report.suggestions[0].model == "lotka_volterra"


def test_every_finding_is_registered_and_the_report_survives_saving(tmp_path: Path) -> None:
    y = viscous() + SIGMA * autoregressive(1, 0.9)
    y[700] = 5.0
    report = ik.look(record(x=y, u=np.where(TIMES < 9, 0.0, 1.0)))
    assert codes(report) <= set(KINDS)
    report.save(tmp_path / "look.json")
    again = ik.LookReport.load(tmp_path / "look.json")
    assert again.as_dict().keys() == report.as_dict().keys()
    assert str(again) == str(report)
    assert again.motion == report.motion
    assert again.columns == report.columns


def test_files_frames_and_experiments_are_looked_at_alike(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"t": TIMES, "x": viscous() + SIGMA * white(1)})
    frame.to_csv(tmp_path / "swing.csv", index=False)
    reports = [
        ik.look(frame),
        ik.look(tmp_path / "swing.csv"),
        ik.look([str(tmp_path / "swing.csv")]),
        ik.look(ik.load(tmp_path / "swing.csv")),
    ]
    assert len({str(report.columns) for report in reports}) == 1
    short = ik.look(tmp_path / "swing.csv", trim=(None, 20.0))
    assert short.end == 20.0


def test_only_the_columns_asked_for_are_looked_at() -> None:
    both = record(x=viscous() + SIGMA * white(1), y=dry() + SIGMA * white(2))
    assert [column.name for column in ik.look(both, outputs={"theta": "y"}).columns] == ["y"]
    with pytest.raises(DataError, match="no column 'z'"):
        ik.look(both, outputs={"theta": "z"})


def test_looking_at_a_file_imports_no_algebra_and_no_compiler(tmp_path: Path) -> None:
    np.savetxt(tmp_path / "swing.csv", np.stack([TIMES, viscous()], 1), delimiter=",", header="t,x", comments="")
    program = (
        "import sys; from identikit.cli.main import main; main(['look', sys.argv[1]]);"
        "print([m for m in ('sympy', 'jax', 'pint', 'matplotlib', 'scipy.optimize') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program, str(tmp_path / "swing.csv")], capture_output=True, text=True)
    assert done.stderr == ""
    assert done.stdout.splitlines()[-1] == "[]"


DATA = Path(__file__).parents[3] / "shared" / "data"


@pytest.mark.skipif(not DATA.is_dir(), reason="the measured records are not here")
def test_measured_records_are_read_right() -> None:
    single = ik.look(next((DATA / "multiarm_single_pendulum").glob("*.csv")))
    assert (single.motion.kind, single.motion.single) == (MotionKind.FREE_DECAY, True)
    assert single.clock.rate == pytest.approx(1000)
    assert [item.door for item in single.suggestions] == ["damping", "fit"]
    double = ik.look(next((DATA / "multiarm_double_pendulum").glob("*.csv")))
    assert (double.motion.kind, double.motion.single) == (MotionKind.FREE_DECAY, False)
    assert double.suggestions[0].model == "double_pendulum"
    robot = ik.look(DATA / "dfki_double_pendulum" / "trajectory_00.csv")
    assert robot.motion.kind is MotionKind.DRIVEN
    assert robot.column("pos_meas1").step == pytest.approx(3.8148e-4, rel=1e-4)
    assert robot.suggestions[0].model == "driven_double_pendulum"
    hares = ik.look(next((DATA / "lynx_hare").glob("*.csv")), time="Year")
    assert hares.motion.kind is MotionKind.UNCLEAR
    assert all(column.noise is None for column in hares.columns)
