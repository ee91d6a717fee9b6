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
