"""Parts of a record are asked whether they agree; where a model is only nearly right, standard errors say so."""

from __future__ import annotations

import numpy as np
import pytest

import identikit as ik
import reference
from identikit.model import model_from_toml
from identikit.result import Code, Result

TIME = np.arange(1500) * 0.04
NAMES = ("c", "k", "f")
SPRING = {"x''": "-c*x' - k*x"}
PARAMETERS = {name: ik.Parameter(name, bounds=(0, 100)) for name in NAMES}


def model(equations: dict[str, str], *names: str) -> ik.Model:
    return ik.Model.from_text("m", equations=equations, parameters={name: PARAMETERS[name] for name in names})


VISCOUS = model(SPRING, "c", "k")


def moved(rate: object, sigma: float, seed: int, start: float = 1.0, time: np.ndarray = TIME) -> ik.Record:
    x = reference.smooth(rate, [start, 0.0], time)[0]  # type: ignore[arg-type]
    return ik.Record.from_arrays(time, x=x + sigma * np.random.default_rng(seed).standard_normal(len(time)))


def damped(seed: int) -> ik.Record:
    return moved(lambda t, x: [x[1], -0.05 * x[1] - 4 * x[0]], 0.01, seed)


def warming(seed: int) -> ik.Record:
    """A spring that gets a little softer all along the record."""
    return moved(lambda t, x: [x[1], -0.05 * x[1] - (4 - 0.002 * t) * x[0]], 0.01, seed)


def codes(result: Result) -> list[str]:
    return [item.code for item in result.findings]


def test_parts_agree_where_the_model_is_right_and_nothing_is_widened() -> None:
    ratios, z = [], []
    for seed in range(25):
        result = ik.fit(damped(seed), VISCOUS)
        assert "parts_disagree" not in codes(result) and result.ok
        for name, truth in (("c", 0.05), ("k", 4.0)):
            item = result.parameters[name]
            ratios.append((item.std or np.nan) / (item.crlb or np.nan))
            z.append((result.value(name) - truth) / (item.std or np.nan))
    assert max(ratios) < 1.01
    assert 0.7 < np.sqrt(np.mean(np.square(z))) < 1.35
    parts = result.artifacts["parts"]
    assert len(parts["begin"]) >= 4 and parts["p_value"] > 1e-3


def test_a_drift_is_found_told_along_time_and_counted_into_the_standard_error() -> None:
    result = ik.fit(warming(0), VISCOUS)
    told = next(item for item in result.findings if item.code == "parts_disagree")
    assert "k" in told.about and "k goes from 3.99 to 3.88, as" in told.text
    k = result.parameters["k"]
    values = result.artifacts["parts"]["parameters"]["k"]["value"]
    assert np.all(np.diff(values) < 0)  # k falls from part to part
    assert values[0] == pytest.approx(4 - 0.002 * 3.75, abs=0.01)
    assert 5 * (k.crlb or 0) < (k.std or 0) < 0.12  # the record's k spans 0.12
    assert "parts" in k.note


def springs(*stiffness: float) -> Result:
    """Several short records, each of a spring of its own."""
    records = [
        moved(lambda t, x, k=k: [x[1], -0.05 * x[1] - k * x[0]], 0.01, seed, time=TIME[:400])
        for seed, k in enumerate(stiffness)
    ]
    return ik.fit(ik.Experiment(tuple(records)), VISCOUS)


def test_how_a_parameter_changes_is_told_with_digits_that_show_it() -> None:
    """With a direction it goes from the first part's value to the last's, without one it varies."""
    text = next(item.text for item in springs(4.0, 4.1, 4.3, 4.25).findings if item.code == "parts_disagree")
    assert ": c goes from 0.045 to 0.059 (between 0.044 and 0.059); k varies between 4.00 and 4.30" in text


@pytest.mark.study
def test_halves_of_a_drifting_record_agree_within_what_they_state() -> None:
    """The negative control is the bound, by which they are worlds apart."""
    apart, by_bound = [], []
    for seed in range(4):
        record = warming(seed)
        halves = [ik.fit(record, VISCOUS, trim=span) for span in ((None, 30.0), (30.0, None))]
        difference = halves[0].value("k") - halves[1].value("k")
        stated = [half.parameters["k"].std or np.nan for half in halves]
        bounds = [half.parameters["k"].crlb or np.nan for half in halves]
        apart.append(abs(difference) / np.hypot(*stated))
        by_bound.append(abs(difference) / np.hypot(*bounds))
    assert max(apart) < 3
    assert min(by_bound) > 10


def test_records_of_one_experiment_are_parts_too() -> None:
    result = springs(3.95, 4.0, 4.02, 4.05)
    assert "parts_disagree" in codes(result)
    spread = np.std([3.95, 4.0, 4.02, 4.05], ddof=1)
    assert 0.3 * spread < (result.parameters["k"].std or 0) < 3 * spread


def test_a_viscous_law_on_a_dry_decay_is_a_misfit_and_dry_friction_is_named() -> None:
    x = reference.event_driven(
        lambda t, x, s: [x[1], -4 * x[0] - 0.06 * s[0]],
        [reference.Switch(lambda t, x: x[1], lambda t, x: -4 * x[0] / 0.06, 1)],
        [1.0, 0.0],
        TIME[:1000],
    )[0][0]
    record = ik.Record.from_arrays(TIME[:1000], x=x + 0.003 * np.random.default_rng(0).standard_normal(1000))
    result = ik.fit(record, VISCOUS)
    assert result.status.code is Code.MISFIT and not result.ok
    assert {"unsteady_parameter", "unexplained_pattern"} & set(codes(result))
    missing = next(item for item in result.findings if item.code == "missing_term")
    assert "sign" in missing.text
    again = ik.fit(record, model_from_toml(result.discovered or ""))
    assert again.ok
    assert again.fit["x"].rmse == pytest.approx(0.003, rel=0.1)


def test_a_linear_law_on_a_large_swing_is_a_misfit_and_the_curved_force_is_named() -> None:
    record = moved(lambda t, x: [x[1], -0.05 * x[1] - 4 * np.sin(x[0])], 0.003, 0, start=2.0, time=TIME[:700])
    result = ik.fit(record, VISCOUS)
    assert result.status.code is Code.MISFIT
    missing = next(item for item in result.findings if item.code == "missing_term")
    assert "sin" in missing.text or "x**3" in missing.text


def test_a_small_pattern_leaves_the_fit_as_it_is_with_wider_errors() -> None:
    """Drag of a per cent of the damping: nobody would throw the numbers away."""
    record = moved(lambda t, x: [x[1], -0.05 * x[1] - 4 * x[0] - 0.004 * x[0] ** 3], 0.0003, 0)
    result = ik.fit(record, VISCOUS)
    assert result.ok
    (text,) = (item.text for item in result.findings if item.code == "parts_disagree")
    assert "k goes from 4.0023 to 3.9995, as" in text, "digits enough to tell them apart"
    assert (result.parameters["k"].std or 0) > 3 * (result.parameters["k"].crlb or 0)
    assert abs(result.value("k") - 4) < 3 * (result.parameters["k"].std or 0)


def test_the_parts_are_drawn_where_they_disagree_and_only_there(tmp_path: object) -> None:
    drifting, steady = ik.fit(warming(1), VISCOUS), ik.fit(damped(1), VISCOUS)
    titles = [
        [panel.get_title(loc="left") for part in ik.plot(result).subfigs for panel in part.axes]
        for result in (drifting, steady)
    ]
    assert {"c", "k"} <= set(titles[0]) and not titles[1]


def test_an_output_that_ends_early_is_an_output_with_missing_samples() -> None:
    """Parts and rest are about what was measured there: nothing is said, and no mean of nothing is taken."""
    model = ik.Model.from_text(
        "duffing",
        states={"x": "m", "v": "m/s"},
        equations={"x": "v", "v": "-c*v - k*x - k3*x**3"},
        parameters={name: ik.Parameter(name, bounds=(0, 10)) for name in ("c", "k", "k3")},
        outputs=["x", "v"],
    )
    time, random = np.arange(1500) * 0.02, np.random.default_rng(1)
    truth = {"c": 0.1, "k": 1.0, "k3": 0.5}
    x, v = reference.smooth(lambda t, s: [s[1], -0.1 * s[1] - s[0] - 0.5 * s[0] ** 3], [2.0, 0.0], time)
    x, v = x + 0.02 * random.standard_normal(1500), v + 0.05 * random.standard_normal(1500)
    x[450:] = np.nan
    result = ik.fit(ik.Record.from_arrays(time, x=x, v=v), model)
    assert result.ok
    assert all(
        abs(result.parameters[name].value - value) < 4 * result.parameters[name].std for name, value in truth.items()
    )


@pytest.mark.study
def test_a_parameter_at_its_bound_is_as_uncertain_as_the_one_it_is_confounded_with() -> None:
    """Drag that the model lacks: dry friction ends at 0, where no part moves it, and goes with viscous damping."""
    time = np.arange(1500) * 0.02
    x = reference.smooth(
        lambda t, x: [x[1], -0.04 * x[1] - 0.05 * x[1] * abs(x[1]) - 20 * x[0] + np.cos(x[0])], [np.pi / 6, 0.0], time
    )[0]
    record = ik.Record.from_arrays(time, theta=x + 1e-4 * np.random.default_rng(4).standard_normal(len(time)))
    result = ik.fit(record, "horizontal_pendulum", free=["zeta", "mu_c", "k"], fix={"mu_q": 0.0}, method="shooting")
    assert result.value("mu_c") == 0.0 and "parts_disagree" in {item.code for item in result.findings}
    wider = {name: result.parameters[name].std / result.parameters[name].crlb for name in ("zeta", "mu_c")}
    assert wider["zeta"] > 5 and 0.7 < wider["mu_c"] / wider["zeta"] < 1.5
