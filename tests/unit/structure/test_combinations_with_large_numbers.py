"""Combinations with numbers too large for a formula that is found by trying: the equation itself names them."""

from __future__ import annotations

import pytest

from identikit.model import Model, Parameter
from identikit.structure import StructuralQuestion, structural


@pytest.mark.parametrize(("factor", "text"), [(3, "3*a + b"), (30, "30*a + b"), (101, "101*a + b")])
def test_a_sum_is_named_whatever_its_numbers(factor: int, text: str) -> None:
    model = Model.from_text(
        "sum", equations={"x": f"-({factor}*a + b)*x"}, parameters={name: Parameter(name) for name in "ab"}
    )
    found = structural(StructuralQuestion(model, ("x",), ("a", "b"), {}))
    assert found.unidentified == ("a", "b") and found.combinations == (text,)
    assert found.further == 0


def test_what_is_left_out_of_a_long_list_is_counted() -> None:
    """Nine stiffnesses, each the sum of two: eight sums are named."""
    names = [f"{letter}{i}" for i in range(9) for letter in "ab"]
    sums = " - ".join(f"(a{i} + b{i})*x**{i + 1}" for i in range(9))
    model = Model.from_text("sums", equations={"x": f"-{sums}"}, parameters={name: Parameter(name) for name in names})
    found = structural(StructuralQuestion(model, ("x",), tuple(names), {}))
    assert len(found.combinations) == 8 and found.further == 1
