"""States that are known when a record begins, hidden states, and the domain of the equations."""

from __future__ import annotations

import numpy as np
import pytest

import hidden_states
import identikit as ik
import reference
from hidden_states import Hidden
from identikit.errors import InputError, ModelError, ProblemError
from identikit.model import state_bounds
from identikit.problem import Initial, Problem
from identikit.result import Code

CASES = {
    "two tanks": hidden_states.two_tanks(),
    "tanks that begin empty": hidden_states.two_tanks((0.0, 0.0), told=True),
    "chemostat": hidden_states.chemostat(),
    "epidemic": hidden_states.epidemic(),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_hidden_state_is_no_obstacle(case: Hidden) -> None:
    """Right within four standard errors, or said not to be identifiable."""
    for seed in range(2):
        result = ik.fit(case.record(seed), case.model, initial=case.initial)
        assert result.status.code in (Code.OK, Code.NOT_IDENTIFIABLE), result.status
        for name, true in case.truth.items():
            found = result.parameters[name]
            if found.identifiable:
                assert found.value is not None and found.std is not None
                assert abs(found.value - true) < 4 * found.std, (name, found)
        for name, value in (case.initial or {}).items():
            assert result.initial_states[0][name] == {"value": value, "std": 0.0}


def test_a_valley_that_the_information_does_not_see_is_followed() -> None:
    """Two draining tanks of which the lower is seen over a short time: many (c1, c2, h1) fit as well."""
    time = np.linspace(0, 60, 301)
    drained = reference.smooth(
        lambda t, h: [-0.012 * np.sqrt(h[0]), 0.012 * np.sqrt(h[0]) - 0.009 * np.sqrt(h[1])], (0.4, 0.3), time
    )[1]
    model = ik.Model.from_text(
        "draining", equations={"h1": "-c1*sqrt(h1)", "h2": "c1*sqrt(h1) - c2*sqrt(h2)"},
        parameters=[ik.Parameter("c1", bounds=(1e-4, 1)), ik.Parameter("c2", bounds=(1e-4, 1))], outputs=["h2"],
    )  # fmt: skip
    for seed in range(3):
        noise = 0.003 * np.random.default_rng(seed).standard_normal(len(time))
        result = ik.fit(ik.Record.from_arrays(time, h2=drained + noise), model)
        for name, true in {"c1": 0.012, "c2": 0.009}.items():
            found = result.parameters[name]
            assert found.value is not None
            assert not found.identifiable or found.std is not None
            assert not found.identifiable or abs(found.value - true) < 4 * found.std, (seed, name, found)


def test_a_known_beginning_narrows_the_interval_and_a_prior_lies_between() -> None:
    case = hidden_states.two_tanks()
    record = case.record(0)
    std = [
        ik.fit(record, case.model, initial=initial).parameters["c1"].std or np.nan
        for initial in ({"h1": 0.4}, {"h1": Initial(0.4, std=0.01)}, None)
    ]
    assert std[0] < std[1] < std[2]


def test_what_is_told_is_believed() -> None:
    """Negative control: with a wrong beginning the estimate goes astray by many of its standard errors."""
    case = hidden_states.two_tanks()
    wrong = ik.fit(case.record(0), case.model, initial={"h1": 0.8, "h2": 0.1}).parameters["c1"]
    assert wrong.value is not None and wrong.std is not None
    assert abs(wrong.value - case.truth["c1"]) > 10 * wrong.std


def test_each_record_has_a_beginning_of_its_own_and_expressions_follow_the_parameters() -> None:
    """x' = -k x from x = a: the second record begins at 2 a, which is estimated with k."""
    time = np.linspace(0, 5, 60)
    parameters = [ik.Parameter("k", bounds=(0.01, 10)), ik.Parameter("a", bounds=(0, 50))]
    model = ik.Model.from_text("decay", equations={"x": "-k*x"}, parameters=parameters)
    random = np.random.default_rng(0)
    records = [
        ik.Record.from_arrays(
            time, x=size * np.exp(-0.7 * time) + 0.01 * random.standard_normal(60), name=f"run {size}"
        )
        for size in (3.0, 6.0)
    ]
    result = ik.fit(
        ik.Experiment(tuple(records)), model, start={"k": 1.0, "a": 2.0}, initial=[{"x": "a"}, {"x": "2*a"}]
    )
    assert result.ok, result.status
    assert result.value("a") == pytest.approx(3.0, abs=4 * (result.parameters["a"].std or 0))
    assert (result.parameters["a"].std or 1.0) < 0.01
    assert result.initial_states[1]["x"]["value"] == pytest.approx(2 * result.value("a"))
    assert result.initial_states[1]["x"]["std"] == pytest.approx(2 * (result.parameters["a"].std or 0), rel=0.01)


def test_a_model_file_tells_bounds_and_beginnings(tmp_path) -> None:
    path = tmp_path / "tank.toml"
    path.write_text(
        'name = "tank"\n[states]\nh = { unit = "m", bounds = [0, 1], initial = "h0" }\n'
        "[parameters]\nc = { bounds = [0.001, 1] }\nh0 = { value = 0.5, fixed = true }\n"
        '[equations]\nh = "-c*sqrt(h)"\n'
    )
    model = ik.load_model(path)
    assert state_bounds(model) == ((0.0, 1.0),)
    time = np.linspace(0, 40, 81)
    clean = np.maximum(np.sqrt(0.5) - 0.02 * time, 0.0) ** 2  # runs empty at t = 35.4
    record = ik.Record.from_arrays(time, h=clean + 0.002 * np.random.default_rng(1).standard_normal(81))
    result = ik.fit(record, model)
    assert result.ok, result.status
    assert result.value("c") == pytest.approx(0.04, abs=4 * (result.parameters["c"].std or 0))
    assert result.initial_states[0]["h"] == {"value": pytest.approx(0.5, abs=1e-6), "std": 0.0}


def test_a_domain_follows_from_the_equations() -> None:
    equations = {"a": "-sqrt(a)", "b": "log(2 - b)", "c": "c**0.7 - a", "d": "sqrt(a - b)"}
    model = ik.Model.from_text("all", equations=equations, parameters={"k": 1.0})
    assert state_bounds(model) == ((0.0, np.inf), (-np.inf, 2.0), (0.0, np.inf), (-np.inf, np.inf))


@pytest.mark.parametrize(
    "initial, words",
    [
        ({"h3": 0.1}, "no state 'h3'"),
        ({"h1": -0.1}, "state 'h1'"),
        ({"h1": (0.5, 0.2)}, "state 'h1'"),
        ({"h1": float("nan")}, "state 'h1'"),
        ({"h1": "c9"}, "undefined symbol 'c9'"),
        ({"h1": [1, 2, 3]}, "two bounds"),
        ({"h1": Initial(None, 0.1)}, "without a value"),
        ({"h1": {"bounds": [0]}}, "state 'h1'"),
        ({"h1": {"std": "a"}}, "state 'h1'"),
        ({"h1": {"value": [1]}}, "state 'h1'"),
        (["estimated"], "expected values by state"),
        (5, "expected values by state"),
        ([{"h1": 0.1}, {"h1": 0.2}], "2 records"),
        ("example", "no example experiment"),
    ],
)
def test_a_mistake_names_the_state(initial: object, words: str) -> None:
    case = hidden_states.two_tanks()
    with pytest.raises(InputError) as caught:
        Problem.pose(case.model, case.record(0), initial=initial)  # type: ignore[arg-type]
    assert words in str(caught.value)


def test_a_model_refuses_a_beginning_outside_its_bounds_or_of_other_symbols() -> None:
    def tank(**state: object) -> ik.Model:
        return ik.Model.from_text(
            "tank", equations={"h": "-c*sqrt(h)"}, parameters={"c": 1.0}, states={"h": ik.State("h", **state)}
        )

    with pytest.raises(ModelError, match="outside its bounds"):
        tank(bounds=(0, 1), initial="2")
    with pytest.raises(ModelError, match="undefined symbol 'h'"):
        tank(initial="h")
    with pytest.raises(ModelError, match="lower bound below"):
        tank(bounds=(1, 0))


def test_transformations_are_checked_as_a_new_problem_would_be() -> None:
    case = hidden_states.chemostat()
    problem = Problem.pose(case.model, case.record(0), initial=case.initial, start={"mu": 0.4})
    fixed = problem.fixed_at({"mu": 0.5})
    assert fixed.free == ("Ks", "Y") and fixed.fixed["mu"] == 0.5 and not fixed.start
    assert problem.fixed_at(dict(case.truth)).free == ()
    narrow = problem.restricted({"mu": (0.45, 0.6)})
    assert narrow.bounds["mu"] == (0.45, 0.6) and not narrow.start  # 0.4 lies outside
    first, last = problem.split(0.25)
    assert first.records[0].time[-1] <= 10 < last.records[0].time[0]
    assert first.initial[0]["S"].known and last.initial[0]["S"].free
    seen = problem.unmeasured_after(0.5)
    assert np.isfinite(seen.records[0].values).sum() == (case.time <= 20).sum()
    assert len(seen.records[0].time) == len(case.time)
    for wrong, said in (
        (lambda: problem.fixed_at({"nu": 1.0}), "'nu' is not free"),
        (lambda: problem.fixed_at({"mu": np.inf}), "expected a finite number"),
        (lambda: problem.restricted({"mu": (2.0, 1.0)}), "expected the lower bound first"),
        (lambda: problem.split(1.5), "expected between 0 and 1"),
        (lambda: problem.with_records(()), "must be as many as before"),
    ):
        with pytest.raises(ProblemError, match=said):
            wrong()


def test_a_start_of_a_free_state_is_where_the_search_begins() -> None:
    from identikit.likelihood import Preparation

    case = hidden_states.two_tanks()
    problem = Problem.pose(case.model, case.record(0), initial={"h1": Initial(0.3)})
    assert Preparation.of(problem).nodes(np.array([0.012, 0.009]))[0, 0] == pytest.approx(0.3)


def test_coloured_residuals_do_not_undo_what_is_known() -> None:
    """Correlated noise widens the interval with a known beginning too, but it stays the narrower one."""
    time, random = np.linspace(0, 10, 400), np.random.default_rng(3)
    noise = np.zeros(400)
    for i in range(1, 400):
        noise[i] = 0.9 * noise[i - 1] + 0.02 * random.standard_normal()
    model = ik.Model.from_text("decay", equations={"x": "-a*x"}, parameters=[ik.Parameter("a", bounds=(0.01, 5))])
    record = ik.Record.from_arrays(time, x=2 * np.exp(-0.4 * time) + noise)
    free, known = (ik.fit(record, model, initial=initial).parameters["a"].std for initial in (None, {"x": 2.0}))
    assert free is not None and known is not None and known < free


def test_roots_within_roots_end_where_the_inner_one_does() -> None:
    from identikit.model import dynamics_of

    model = ik.Model.from_text("nested", equations={"a": "sqrt(1 + sqrt(b))", "b": "-1"}, parameters={"k": 1.0})
    dynamics = dynamics_of(model)
    rate = dynamics.rate(np, np.array([0.0]), [np.array([0.0]), np.array([-0.5])], [], [], [np.array([1.0])], [])
    assert rate[0] == pytest.approx(1.0)
