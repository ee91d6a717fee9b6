"""symbolic: terms that nobody listed are found, functions with inner constants where products do not do, and told."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest
import sympy as sp

import identikit as ik
import reference
from identikit.errors import MissingDependencyError, OptionError
from identikit.method.expression._ansatz import from_expression, shapes
from identikit.method.expression._pysr_engine import searched
from identikit.method.expression._search_columns import SearchColumns, joined, product
from identikit.method.expression._shape_laws import inner_units
from identikit.method.sparse._coefficient_unit import coefficient_unit, exponents
from identikit.model import symbol
from identikit.result import Code

pytest.importorskip("pyoperon")

TIME = np.arange(6001) * 0.005
UNDAMPED = {"zeta": 0.0, "mu_c": 0.0, "mu_q": 0.0}


def record(clean: np.ndarray, time: np.ndarray = TIME, noise: float = 0.002) -> ik.Record:
    values = clean + noise * np.random.default_rng(0).standard_normal(len(time))
    return ik.Record.from_arrays(time, {"theta": values})


def chosen(result: ik.Result) -> set[str]:
    return {row[1] for row in result.artifacts["terms"]["rows"] if row[4]}


@pytest.fixture(scope="module")
def dry() -> ik.Result:
    clean = reference.horizontal_pendulum(TIME, mu_c=0.03)[0][0]
    return ik.discover(record(clean), "horizontal_pendulum", free=["k"], fix=UNDAMPED, method="symbolic")


def test_friction_that_the_model_lacks_is_found_by_the_search_alone(dry: ik.Result) -> None:
    assert dry.ok, dry.status
    assert chosen(dry) == {"theta", "cos(theta)", "sign(omega)"}
    found = dry.parameters["c_sign_omega"]
    assert found.value is not None and found.std is not None and found.crlb is not None
    assert abs(found.value + 0.03) < 4 * found.std < 4 * 1.05 * found.crlb


def test_the_law_is_a_model_file_and_its_unrefined_constants_are_kept(dry: ik.Result) -> None:
    assert dry.discovered is not None and "c_sign_omega*sign(omega)" in dry.discovered
    row = next(row for row in dry.artifacts["terms"]["rows"] if row[1] == "sign(omega)")
    told = dict(zip(dry.artifacts["terms"]["columns"], row, strict=True))
    assert told["unrefined"] == pytest.approx(-0.03, rel=0.01) and told["unrefined"] != told["value"]


def test_the_front_falls_with_complexity_and_holds_the_law(dry: ik.Result) -> None:
    table = dry.artifacts["pareto front"]
    rows = [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]]
    front = [row for row in rows if row["on the front"]]
    assert [row["complexity"] for row in front] == sorted(row["complexity"] for row in front)
    assert len(front) > 2 and all(a["misfit"] > b["misfit"] for a, b in itertools.pairwise(front))
    assert [row["law"] for row in rows if row["chosen"]] == [row["law"] for row in front if row["chosen"]]
    assert next(row for row in rows if row["chosen"])["misfit"] == pytest.approx(1.0, abs=0.15)


def test_the_front_is_drawn(dry: ik.Result) -> None:
    from matplotlib.figure import Figure

    from identikit.plotting._law_plot import draw_front
    from identikit.plotting._painters import painters_of

    assert draw_front in painters_of(dry)
    figure = Figure()
    draw_front(figure, dry)
    axes = figure.axes[0]
    assert axes.get_yscale() == "log" and "omega'" in axes.texts[0].get_text()


@pytest.fixture(scope="module")
def rounded() -> tuple[ik.Record, ik.Result]:
    """Friction tanh(omega / 0.5), which no product is."""

    def rate(t: float, x: np.ndarray) -> list[float]:
        return [x[1], -20 * x[0] + math.cos(x[0]) - 0.06 * math.tanh(x[1] / 0.5)]

    own = record(reference.smooth(rate, [np.pi / 6, 0.0], TIME)[0])
    return own, ik.discover(own, "horizontal_pendulum", free=["k"], fix=UNDAMPED, method="symbolic")


@pytest.mark.study
def test_friction_that_is_no_product_gets_a_law_that_fits_as_well_as_the_true_one(
    rounded: tuple[ik.Record, ik.Result],
) -> None:
    own, result = rounded
    assert result.ok, result.status
    true = ik.Model.from_text(
        "true", states={"theta": "rad", "omega": "rad/s"},
        equations={"theta": "omega", "omega": "-k*theta + cos(theta) - a*tanh(omega/s)"},
        parameters={"k": ik.Parameter("k", 20.0), "a": ik.Parameter("a", 0.06), "s": ik.Parameter("s", 0.5)},
        outputs=["theta"],
    )  # fmt: skip
    best = ik.fit(own, true, start={"k": 20.0, "a": 0.06, "s": 0.5})
    worse = (result.fit["theta"].rmse ** 2 - best.fit["theta"].rmse ** 2) * len(TIME) / 0.002**2
    assert worse < 6
    assert len(result.parameters) <= 4  # the true law has a factor before the cosine too


@pytest.mark.study
def test_inner_constants_are_parameters_with_the_unit_of_what_they_divide(rounded: tuple[ik.Record, ik.Result]) -> None:
    result = rounded[1]
    table = result.artifacts["inner constants"]
    told = dict(zip(table["columns"], table["rows"][0], strict=True))
    assert told["unit"] == "rad/s" and told["std"] > 0 and told["unrefined"] != told["value"]
    assert result.parameters[told["constant"]].value == told["value"]
    assert result.discovered is not None and told["constant"] in result.discovered


@pytest.mark.study
def test_laws_that_fit_as_well_are_told(rounded: tuple[ik.Record, ik.Result]) -> None:
    rows = rounded[1].artifacts["rivals"]["rows"]
    near = [row for row in rows if row[2]]
    assert bool(near) == ("rival_laws" in [item.code for item in rounded[1].findings])


def test_parameters_of_a_model_that_has_the_law_come_in_its_own_names() -> None:
    time = np.arange(1500) * 0.02
    clean = reference.smooth(lambda t, x: [x[1], -0.1 * x[1] - x[0] - 0.5 * x[0] ** 3], [2.0, 0.0], time)[0]
    noisy = clean + 0.02 * np.random.default_rng(0).standard_normal(len(time))
    result = ik.fit(ik.Record.from_arrays(time, {"x": noisy}), "duffing", method="symbolic")
    assert result.ok, result.status
    for name, true in {"c": 0.1, "k": 1.0, "k3": 0.5}.items():
        found = result.parameters[name]
        assert found.value is not None and found.std is not None
        assert abs(found.value - true) < 4 * found.std
    again = ik.fit(
        ik.Record.from_arrays(time, {"x": noisy}), "duffing", method="symbolic", options={"start": "structure"}
    )
    assert again.ok and "pareto front" not in again.artifacts
    assert again.value("k") == pytest.approx(result.value("k"), rel=1e-4)


def test_noise_alone_has_no_law() -> None:
    """Negative control."""
    values = np.random.default_rng(1).standard_normal(2000)
    noise = ik.Record.from_arrays(np.arange(2000) * 0.05, {"x": values})
    result = ik.fit(noise, "duffing", method="symbolic", options={"functions": "products"})
    assert result.status.code is Code.NOT_APPLICABLE or not result.ok


@pytest.mark.parametrize("method", ["sindy", "symbolic"])
def test_a_known_model_with_a_state_that_nobody_measured_is_refused(method: str) -> None:
    hidden = ik.Model.from_text(
        "hidden", states={"x": "", "h": ""}, equations={"x": "-k*x + h**2", "h": "-c*h"},
        parameters={"k": ik.Parameter("k", 1.0), "c": ik.Parameter("c", 0.1)}, outputs=["x"],
    )  # fmt: skip
    result = ik.discover(ik.Record.from_arrays(TIME[:400], {"x": np.cos(TIME[:400])}), hidden, method=method)
    assert result.status.code is Code.NOT_APPLICABLE
    assert [item.code for item in result.findings] == ["state_not_measured"]


def test_without_a_model_there_is_no_structure_to_start_from() -> None:
    with pytest.raises(OptionError, match="structure"):
        ik.discover(record(np.cos(TIME)), states=["theta"], method="symbolic", options={"start": "structure"})


def test_pysr_is_asked_for_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pysr", None)
    with pytest.raises(MissingDependencyError, match=r"pip install 'identikit\[pysr\]'"):
        ik.fit(record(np.cos(TIME)), "pendulum", method="symbolic", options={"engine": "pysr"})


def test_what_pysr_answers_becomes_products_and_expressions_of_the_columns() -> None:
    omega = np.linspace(-2, 2, 50)
    columns = SearchColumns.of({"omega": omega}, omega * np.abs(omega))
    c0, c1, c2 = sp.symbols("c0 c1 c2")  # omega, its sign, its size, all of unit rms
    found = searched(columns, ["c0", "c1", "c2"], [c0 * c2 + 0.5 * c1, 2.0 * c2**2 * c1], False)
    x = symbol("omega")
    assert found.terms == {x * sp.Abs(x): 2, sp.sign(x): 1}
    curved = searched(columns, ["c0", "c1", "c2"], [sp.tanh(3.0 * c0)], True).expressions[0]
    number: Callable[[float], float] = lambda v: float(curved.subs(x, v))  # noqa: E731
    assert number(0.7) == pytest.approx(columns.target_scale * math.tanh(3 * 0.7 / columns.scales[0]))


@pytest.mark.parametrize(
    ("powers", "expected"),
    [((1, 1, 0), "Abs(x)"), ((0, 1, 1), "x"), ((0, 0, 2), "x**2"), ((0, 2, 0), "1"), ((1, 0, 1), "x*Abs(x)"),
     ((0, 1, 0), "sign(x)"), ((2, 1, 1), "x**3"), ((0, 3, 2), "x*Abs(x)")],
)  # fmt: skip
def test_a_product_is_written_in_one_way_only(powers: tuple[int, int, int], expected: str) -> None:
    assert str(product(["x"], [joined(*powers)])) == expected
    plain, signs, sizes = powers
    for value in (-1.7, 0.4):
        direct = value**plain * math.copysign(1.0, value) ** signs * abs(value) ** sizes
        assert float(product(["x"], [joined(*powers)]).subs(symbol("x"), value)) == pytest.approx(direct)


def test_an_expression_with_numbers_becomes_an_ansatz_with_constants_of_its_units() -> None:
    x, v = symbol("x"), symbol("v")
    ansatz = from_expression(0.3 * sp.tanh(2.5 * v) - 1.2 * x * sp.exp(-0.7 * x**2) + 4.0 * v)
    assert ansatz is not None
    assert {item.starts[0] for item in ansatz.inner} == {2.5, -0.7}
    assert len(ansatz.functions) == 3 and v in ansatz.functions
    units = inner_units(ik.library_model("duffing"), ansatz)  # x in m, v in m/s
    assert {units[item.name] for item in ansatz.inner} == {"s/m", "1/m^2"}
    assert from_expression(sp.tanh(1.5 * v) + sp.tanh(2.5 * v) + sp.tanh(3.5 * v)) is None


def test_shapes_of_a_column_that_never_changes_sign_hold_no_sign() -> None:
    one_sided = [f for ansatz in shapes({"h": np.linspace(0.1, 1.0, 20)}) for f in ansatz.functions]
    assert one_sided and not any(f.has(sp.sign, sp.Abs) for f in one_sided)
    assert not list(shapes({"h": np.ones(20)}))


def test_the_factor_of_a_shape_has_the_unit_that_makes_it_a_rate() -> None:
    v, s = symbol("v"), symbol("s")
    units = {"v": "m/s", "s": "m/s"}
    assert coefficient_unit(exponents("m/s^2"), sp.tanh(v / s), units) == "m/s^2"
    assert coefficient_unit(exponents("m/s^2"), v / (s + sp.Abs(v)), units) == "m/s^2"
    assert coefficient_unit(exponents("m/s^2"), v / (s + sp.Abs(v)), {"v": "m/s", "s": "kg"}) == ""  # not a sum
