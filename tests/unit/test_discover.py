"""discover: the law of a record with nothing known, what a known model lacks, and what is said where it is open."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

import identikit as ik
import reference
from identikit.cli.main import main
from identikit.errors import DataError, OptionError
from identikit.method import DISCOVERERS
from identikit.problem import Problem
from identikit.result import Code, Status, describe_law

TIME = np.arange(1500) * 0.03
Rate = Callable[[float, np.ndarray], Sequence[float]]


def motion(rate: Rate, start: Sequence[float], noise: float, *names: str, seed: int = 0) -> ik.Record:
    clean = reference.smooth(rate, start, TIME)[: len(names)]
    random = np.random.default_rng(seed)
    values = clean + noise * clean.std(axis=1)[:, None] * random.standard_normal(clean.shape)
    return ik.Record.from_arrays(TIME, dict(zip(names, values, strict=True)))


def duffing(t: float, x: np.ndarray) -> Sequence[float]:
    return [x[1], -0.1 * x[1] - x[0] - 0.5 * x[0] ** 3]


def terms(result: ik.Result) -> set[tuple[str, str]]:
    return {(row[0], row[1]) for row in result.artifacts["terms"]["rows"] if row[4]}


@pytest.fixture(scope="module")
def spring() -> ik.Result:
    return ik.discover(motion(duffing, [2.0, 0.0], 0.05, "x"))


def test_a_position_alone_gives_the_order_the_terms_and_the_constants(spring: ik.Result) -> None:
    assert spring.ok, spring.status
    assert terms(spring) == {("x_dot", "x"), ("x_dot", "x_dot"), ("x_dot", "x**3")}
    for name, true in {"c_x": -1.0, "c_x_dot": -0.1, "c_x3": -0.5}.items():
        found = spring.parameters[name]
        assert found.value is not None and found.std is not None
        assert abs(found.value - true) < 4 * found.std


def test_networks_that_share_nothing_with_the_weak_form_find_the_same_law(spring: ik.Result) -> None:
    result = ik.discover(motion(duffing, [2.0, 0.0], 0.05, "x"), method="pinn")
    assert result.ok, result.status
    assert terms(result) == terms(spring)
    for name in ("c_x", "c_x_dot", "c_x3"):
        assert result.value(name) == pytest.approx(spring.value(name), rel=1e-3)
    assert set(result.artifacts["training"]["parameters"]) == {"c_x", "c_x_dot", "c_x3"}
    row = result.artifacts["terms"]["rows"][1]  # of x: the networks' own constant is kept beside the refined one
    assert row[7] == pytest.approx(row[5], abs=row[6])


def test_a_picture_shows_the_terms_and_the_rivals_from_a_saved_law(spring: ik.Result, tmp_path: Path) -> None:
    spring.save(tmp_path / "law.json")
    figure = ik.plot(ik.Result.load(tmp_path / "law.json"))
    terms_panel = next(axes for axes in figure.axes if axes.get_xlabel() == "in the law [%]")
    words = [label.get_text() for label in terms_panel.get_yticklabels()]
    assert set(words[:3]) == {"x", "x_dot", "x**3"} and len(words) == 10
    written = [text.get_text() for axes in figure.axes for text in axes.texts]
    rivals = spring.artifacts["rivals"]["rows"]
    expected = rivals[0][1] if rivals else "no other law of these terms comes near"
    assert any(expected in text for text in written)


def test_the_law_is_printed_with_what_speaks_for_it(spring: ik.Result) -> None:
    text = describe_law(spring)
    assert text.startswith("  x' = x_dot\n  x_dot' = -")
    assert "probability" in text and "replicates" in text and "Rivals" in text and "predicts the rest" in text


def test_fit_goes_on_from_the_law(spring: ik.Result) -> None:
    assert spring.discovered is not None
    again = ik.fit(motion(duffing, [2.0, 0.0], 0.05, "x"), spring.discovered)
    assert again.ok
    assert again.value("c_x3") == pytest.approx(spring.value("c_x3"), rel=1e-3)


def test_a_saved_law_says_the_same(spring: ik.Result, tmp_path: Path) -> None:
    spring.save(tmp_path / "law.json")
    assert describe_law(ik.Result.load(tmp_path / "law.json")) == describe_law(spring)


def test_predators_and_prey_are_told_with_five_per_cent_noise() -> None:
    rate: Rate = lambda t, x: [x[0] - 0.5 * x[0] * x[1], -0.8 * x[1] + 0.3 * x[0] * x[1]]  # noqa: E731
    result = ik.discover(motion(rate, [4.0, 1.0], 0.05, "hares", "lynx"), options={"degree": 2})
    assert terms(result) == {
        ("hares", "hares"), ("hares", "hares*lynx"), ("lynx", "lynx"), ("lynx", "hares*lynx")
    }  # fmt: skip


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_twenty_one_yearly_counts_show_predators_and_prey_with_a_degree_they_are_worth(seed: int) -> None:
    rate: Rate = lambda t, x: [0.55 * x[0] - 0.028 * x[0] * x[1], -0.8 * x[1] + 0.024 * x[0] * x[1]]  # noqa: E731
    years = np.arange(21.0)
    clean = reference.smooth(rate, [34.0, 5.9], years)
    counts = clean + 0.03 * clean.std(axis=1)[:, None] * np.random.default_rng(seed).standard_normal(clean.shape)
    record = ik.Record.from_arrays(years, {"hares": counts[0], "lynx": counts[1]})
    result = ik.discover(record)
    assert "degree_lowered" in [item.code for item in result.findings]
    assert terms(result) == {
        ("hares", "hares"), ("hares", "hares*lynx"), ("lynx", "lynx"), ("lynx", "hares*lynx")
    }  # fmt: skip
    asked = ik.discover(record, options={"degree": 4})
    assert not asked.ok and "too_few_equations" in [item.code for item in asked.findings]


def test_a_force_column_is_part_of_the_law() -> None:
    def force(t: np.ndarray | float) -> np.ndarray:
        return np.sin(1.3 * np.asarray(t)) + 0.7 * np.sin(0.4 * np.asarray(t))

    made = motion(lambda t, x: [x[1], -2 * x[0] - 0.3 * x[1] + float(force(t))], [1.0, 0.0], 0.01, "x")
    record = ik.Record.from_arrays(TIME, {"x": made.channels["x"].values, "push": force(TIME)})
    result = ik.discover(record, states=["x"], inputs={"F": "push"}, options={"degree": 2})
    assert terms(result) == {("x_dot", "x"), ("x_dot", "x_dot"), ("x_dot", "F")}


def test_what_only_falls_is_of_first_order() -> None:
    result = ik.discover(motion(lambda t, x: [-0.3 * x[0]], [2.0], 0.02, "level"))
    assert terms(result) == {("level", "level")}
    assert result.value("c_level") == pytest.approx(-0.3, rel=0.02)


def test_small_swings_cannot_tell_an_angle_from_its_sine_and_that_is_said() -> None:
    small = motion(lambda t, x: [x[1], -4 * np.sin(x[0]) - 0.1 * x[1]], [0.05, 0.0], 0.02, "theta")
    result = ik.discover(small, options={"terms": "report"})
    assert "rival_laws" in [item.code for item in result.findings]
    large = motion(lambda t, x: [x[1], -4 * np.sin(x[0]) - 0.1 * x[1]], [2.0, 0.0], 0.02, "theta")
    result = ik.discover(large, options={"terms": "report"})  # negative control
    assert terms(result) == {("theta_dot", "theta_dot"), ("theta_dot", "sin(theta)")}
    assert "rival_laws" not in [item.code for item in result.findings]


def test_a_known_model_is_kept_and_what_it_lacks_is_named() -> None:
    spring = ik.Model.from_text(
        "spring", states={"x": "", "v": ""}, equations={"x": "v", "v": "-c*v - k*x"},
        parameters={"c": ik.Parameter("c", 0.1), "k": ik.Parameter("k", 1.0)}, outputs=["x"],
    )  # fmt: skip
    record = motion(duffing, [2.0, 0.0], 0.02, "x")
    found = ik.discover(record, spring)
    assert "missing_term" in [item.code for item in found.findings]
    assert found.discovered is not None and "x**3" in found.discovered
    assert "*x**3" in found.artifacts["law"]["equations"]["v"]
    sparse = ik.discover(record, spring, method="sindy")
    assert terms(sparse) == {("v", "v"), ("v", "x"), ("v", "x**3")}


@pytest.mark.parametrize("patience", [1, 3, 6])
def test_a_search_that_is_stopped_says_so(patience: int) -> None:
    heard: list[str] = []

    def listener(event: ik.ProgressEvent) -> bool:
        heard.append(event.stage)
        return len(heard) < patience

    result = ik.discover(motion(duffing, [2.0, 0.0], 0.05, "x"), progress=listener)
    assert len(heard) == patience
    assert "stopped_early" in [item.code for item in result.findings]


@pytest.fixture
def outside() -> Iterator[None]:
    """A way to discover that another package brings."""

    class Outside:
        name = "outside"

        def resolve_options(self, given: object = None) -> dict[str, object]:
            return {}

        def discover(self, problem: Problem, **asked: object) -> ik.Result:
            assert problem.model is not None
            text = problem.model.to_toml()
            return ik.Result("law", self.name, Status(Code.OK, "found"), {}, discovered=text)

    DISCOVERERS.register("outside", Outside)
    yield
    DISCOVERERS.remove("outside")


@pytest.mark.usefixtures("outside")
def test_what_an_engine_from_outside_finds_is_a_law_if_it_gives_the_model_file_alone() -> None:
    result = ik.discover(motion(duffing, [2.0, 0.0], 0.05, "x"), known="duffing", method="outside")
    assert result.is_discovery and "x' = v" in describe_law(result)


def test_ways_to_discover_are_rows_that_are_imported_when_used() -> None:
    assert {"sindy", "symbolic", "pinn", "neural_ode", "missing"} <= set(DISCOVERERS)
    with pytest.raises(OptionError, match="unknown way to discover 'magic'"):
        ik.discover(motion(duffing, [2.0, 0.0], 0.05, "x"), method="magic")


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"states": ["y"]}, "there is no column 'y'"),
        ({"states": ["x", "x"]}, "named twice"),
        ({"order": 3}, "expected 1 or 2"),
        ({"free": ["c"]}, "no parameters to free"),
        ({"inputs": {"F": "x"}, "states": ["x"]}, "both a state and an input"),
        ({"options": {"terms": "sines"}}, "terms option of sindy must be one of"),
        ({"known": "duffing", "states": ["x"]}, "a known model says which states"),
        ({"method": "missing"}, "needs a model whose terms are kept"),
    ],
)
def test_wrong_input_is_one_sentence(asked: dict, message: str) -> None:
    with pytest.raises((DataError, OptionError), match=message):
        ik.discover(motion(duffing, [2.0, 0.0], 0.05, "x"), **asked)


def test_the_command_writes_the_law_or_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = motion(duffing, [2.0, 0.0], 0.05, "x")
    data, law = tmp_path / "spring.csv", tmp_path / "law.toml"
    rows = zip(record.time, record.channels["x"].values, strict=True)
    data.write_text("t,x\n" + "\n".join(f"{t},{x}" for t, x in rows))
    assert main(["discover", str(data), "--states", "x", "-o", str(law)]) == 0
    assert "x_dot' = " in capsys.readouterr().out
    assert ik.load_model(str(law)).parameter_names == ("c_x", "c_x_dot", "c_x3")
    law.unlink()
    assert main(["discover", str(data), "--states", "nothing", "-o", str(law)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert main(["discover", str(data), "-o", str(tmp_path / "law.txt")]) == 2
    assert main(["discover", str(data), "-o", str(data)]) == 2
    assert not law.exists()


def test_too_few_samples_a_constant_column_and_sines_of_lengths_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    few, flat, length = tmp_path / "few.csv", tmp_path / "flat.csv", tmp_path / "length.csv"
    few.write_text("t,x\n" + "\n".join(f"{k},{k % 3}" for k in range(6)))
    flat.write_text("t,x,y\n" + "\n".join(f"{t},{np.cos(t)},3" for t in TIME))
    length.write_text("t[s],x[m]\n" + "\n".join(f"{t},{np.cos(t)}" for t in TIME))
    assert main(["discover", str(few)]) == 3
    assert main(["discover", str(flat), "--states", "x,y"]) == 2
    assert "'y' is constant" in capsys.readouterr().err
    assert main(["discover", str(length), "--option", "terms=report"]) == 3
    assert "x is in m" in capsys.readouterr().out
