"""Records and experiments: what is refused, what is kept, what identifies them."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from identikit.errors import DataError, UnitError
from identikit.measurement import Channel, Experiment, Record, load
from identikit.question import Question

T = np.arange(5.0)


def record(**channels: object) -> Record:
    return Record.from_arrays(T, channels or {"theta": T**2})  # type: ignore[arg-type]


def test_arrays_are_read_only_copies() -> None:
    values = np.arange(5.0)
    made = record(theta=values)
    values[0] = 99.0
    assert made.channels["theta"].values[0] == 0.0
    with pytest.raises(ValueError, match="read-only"):
        made.channels["theta"].values[0] = 1.0
    with pytest.raises(TypeError, match="does not support item assignment"):
        made.channels["other"] = Channel(values)  # type: ignore[index]


@pytest.mark.parametrize(
    ("time", "said"),
    [
        ([0.0, 1.0], "at least 3"),
        ([0.0, 1.0, 1.0, 2.0], "repeats"),
        ([0.0, 2.0, 1.0, 3.0], "runs backwards at sample 2, from 2.0 to 1.0"),
        ([0.0, np.nan, 1.0, 3.0], "missing or not finite"),
        ([np.nan, 0.0, 1.0, 3.0], "missing or not finite"),
        ([0.0, 1.0, np.inf, 3.0], "missing or not finite"),
        ([[0.0, 1.0, 2.0]], "one-dimensional"),
    ],
)
def test_times_that_do_not_increase_are_refused(time: list[float], said: str) -> None:
    with pytest.raises(DataError, match=said):
        Record.from_arrays(time, y=np.zeros(len(time)))


def test_channels_of_another_length_or_infinite_are_refused() -> None:
    with pytest.raises(DataError, match="'y' has 4 values for 5 times"):
        record(y=np.zeros(4))
    with pytest.raises(DataError, match="infinite at sample 2"):
        record(y=[0.0, 1.0, np.inf, 0.0, 0.0])
    with pytest.raises(DataError, match="'a', which is not a number"):
        record(y=["1", "2", "a", "3", "4"])


def test_require_explains_missing_empty_and_constant_channels() -> None:
    made = record(theta=T, rest=np.ones(5), none=np.full(5, np.nan))
    assert made.require("theta").values[1] == 1.0
    with pytest.raises(DataError, match="Did you mean 'theta'"):
        made.require("thetta")
    with pytest.raises(DataError, match="'none' holds no value"):
        made.require("none")
    with pytest.raises(DataError, match="'rest' is constant"):
        made.require("rest")
    assert made.require("rest", allow_constant=True).values[0] == 1.0


def test_spacing_duration_and_uniformity() -> None:
    assert (record().duration, record().spacing, record().uniform, len(record())) == (4.0, 1.0, True, 5)
    assert not Record.from_arrays([0.0, 1.0, 2.1, 3.0], y=np.zeros(4)).uniform


def test_the_digest_follows_numbers_names_and_units_only() -> None:
    base = Record.from_arrays(T, a=T, b=T**2, name="one")
    assert base.digest() == Record.from_arrays(T, b=T**2, a=T, name="two").digest()
    assert base.digest() != Record.from_arrays(T, a=T, c=T**2).digest()
    assert base.digest() != Record.from_arrays(T, a=T, b=T**2 + 1e-15).digest()
    assert base.digest() != Record.from_arrays(T, a=T, b=T**2, units={"a": "m"}).digest()
    assert record(y=[0.0, 1, 2, 3, np.nan]).digest() == record(y=[-0.0, 1, 2, 3, -np.nan]).digest()


def test_a_record_survives_pickling() -> None:
    made = Record.from_arrays(T, theta=T, units={"theta": "deg"}, name="run").with_step("shaken")
    copy = pickle.loads(pickle.dumps(made))
    assert (copy.digest(), copy.history, copy.name) == (made.digest(), ("shaken",), "run")
    assert not copy.time.flags.writeable


def test_units_for_unknown_channels_and_unknown_units_are_refused() -> None:
    with pytest.raises(DataError, match="'thet', which is not a column"):
        Record.from_arrays(T, theta=T, units={"thet": "deg"})
    with pytest.raises(UnitError, match="parrots"):
        Record.from_arrays(T, theta=T, units={"theta": "parrots"})


def test_a_dataframe_becomes_a_record_with_header_units() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"label": list("abcde"), "t_ms": T, "theta [deg]": T, "n": [1, 2, 3, 4, 5]})
    made = Record.from_dataframe(frame, units={"n": "mm"})
    assert made.time_unit == "ms"
    assert {name: channel.unit for name, channel in made.channels.items()} == {"theta": "deg", "n": "mm"}
    with pytest.raises(DataError, match="'label' cannot be used as numbers: row 1 holds 'a'"):
        made.require("label")
    assert Record.from_dataframe(frame, time="n").time[0] == 1.0


@pytest.mark.parametrize("zone", [None, "UTC"])
def test_dates_in_a_dataframe_become_seconds_from_the_first(zone: str | None) -> None:
    pandas = pytest.importorskip("pandas")
    dates = pandas.date_range("2020-01-01 23:59:58", periods=5, freq="1500ms", tz=zone)
    made = Record.from_dataframe(pandas.DataFrame({"t": dates, "y": T, "wait": dates - dates[0]}))
    np.testing.assert_allclose(made.time, [0, 1.5, 3, 4.5, 6], rtol=0, atol=1e-12)
    np.testing.assert_allclose(made.channels["wait"].values, [0, 1.5, 3, 4.5, 6])
    assert made.time_unit == "s"
    with pytest.raises(DataError, match="two columns are named 't'"):
        Record.from_dataframe(pandas.DataFrame([[1, 2]], columns=["t", "t [s]"]))


def test_an_experiment_is_records_with_the_same_channels() -> None:
    one, two = record(theta=T), record(theta=T + 1)
    experiment = Experiment((one, two))
    assert [made.digest() for made in experiment] == [one.digest(), two.digest()]
    assert len(experiment) == 2
    assert experiment[1] is two
    assert experiment.digest() != Experiment((two, one)).digest()
    with pytest.raises(DataError, match="at least one record"):
        Experiment(())
    with pytest.raises(DataError, match="omega"):
        Experiment((one, record(omega=T)))


def test_arrays_by_name_are_a_table() -> None:
    (made,) = load({"t_ms": T, "theta [deg]": list(T)})
    assert made.channels["theta"].values.tolist() == T.tolist() and made.time_unit == "ms"
    question = Question.ask({"t": T, "theta": T}, "pendulum")
    assert question.experiment().records[0].channels["theta"].values.tolist() == T.tolist()
    assert set(question.as_dict()["data"]) == {"in_memory", "sha256"}, "arrays are not written into results"


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"t": T, "x": T[1:]}, "different lengths: t 5, x 4"),
        ({"t": T, "x": np.ones((5, 2))}, "'x' has 2 dimensions"),
        ({"t": T, "x": 1.0}, "'x' has 0 dimensions"),
        ({"t": T, "x": [[1], [1, 2], 3, 4, 5]}, "'x' is no column"),
        ({}, "no rows"),
    ],
)
def test_arrays_that_make_no_table_are_refused(columns: dict[str, Any], said: str) -> None:
    with pytest.raises(DataError, match=said):
        load(columns)
