"""Units at the end of names: the clear ones are read, the others only where such a unit is wanted."""

from __future__ import annotations

from pathlib import Path

import pytest

from identikit.errors import DataError
from identikit.measurement import load, possible_unit


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("theta_deg", "deg"), ("Winkel_Deg", "deg"), ("u_V", "V"), ("pos_x_mm", "mm"), ("omega_rad_s", "rad/s"),
        ("acc_m_s2", "m/s^2"), ("tau_Nm", "N*m"), ("gyro_dps", "deg/s"), ("T_degC", "degC"),
        # none of these is a unit without doubt
        ("x_min", ""), ("q_h", ""), ("v_ms", ""), ("mu_c", ""), ("x_m", ""), ("p_bar", ""), ("a_1", ""), ("deg", ""),
        ("x_", ""), ("_deg", ""), ("u_v", ""), ("x_MV", ""),
    ],
)  # fmt: skip
def test_clear_units_are_read_from_names_and_said(tmp_path: Path, name: str, unit: str) -> None:
    path = tmp_path / "run.csv"
    path.write_text(f"t,{name}\n0,1\n1,2\n2,3\n")
    (record,) = load(path)
    assert record.channels[name].unit == unit
    assert [remark.about for remark in record.remarks] == ([(name,)] if unit else [])


def test_what_the_header_or_the_user_says_counts_more(tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    path.write_text("t,a_deg [rad],b_deg\n0,1,1\n1,2,2\n2,3,3\n")
    (record,) = load(path, units={"b_deg": "mrad"})
    assert {name: channel.unit for name, channel in record.channels.items()} == {"a_deg": "rad", "b_deg": "mrad"}
    assert record.remarks == ()


@pytest.mark.parametrize(("name", "unit"), [("x_m", "m"), ("v_m_s", "m/s"), ("wait_min", "min"), ("x_left", "")])
def test_possible_units_are_offered_to_whoever_wants_one(name: str, unit: str) -> None:
    assert possible_unit(name) == unit


@pytest.mark.parametrize(
    ("name", "unit"), [("zeit_min", "min"), ("time_ms", "ms"), ("Elapsed_Time_sec", "s"), ("t_hours", "h")]
)
def test_the_time_is_found_with_the_unit_in_its_name(tmp_path: Path, name: str, unit: str) -> None:
    path = tmp_path / "run.csv"
    path.write_text(f"x,{name}\n1,0\n2,1\n3,2\n")
    (record,) = load(path)
    assert (list(record.channels), record.time_unit) == (["x"], unit)


def test_an_unclear_unit_of_time_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    path.write_text("x,zeit_m\n1,0\n2,1\n3,2\n")
    with pytest.raises(DataError, match="unit of the time column 'zeit_m' is not clear") as caught:
        load(path)
    assert (caught.value.remedy, caught.value.about) == ("name_unit", "zeit_m")
    assert load(path, units={"zeit_m": "min"})[0].time_unit == "min"
