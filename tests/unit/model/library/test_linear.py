"""Linear systems of any dimension."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import expm

import ready
from identikit.errors import ModelError
from identikit.model import LIBRARY, library_model
from identikit.simulation import simulate


@pytest.mark.parametrize("dimension", [1, 2, 3, 5])
def test_the_solution_is_the_matrix_exponential(dimension: int) -> None:
    model = library_model(f"linear{dimension}")
    random = np.random.default_rng(dimension)
    matrix = random.normal(size=(dimension, dimension))
    begin = random.normal(size=dimension)
    values = {f"a_{i + 1}{j + 1}": matrix[i, j] for i in range(dimension) for j in range(dimension)}
    time = np.linspace(0, 2, 5)
    found = simulate(model, time, values, dict(zip(model.state_names, begin, strict=True)), tolerance=1e-11).states
    exact = np.stack([expm(matrix * t) @ begin for t in time], axis=1)
    np.testing.assert_allclose(found, exact, rtol=1e-8, atol=1e-8)


def test_linear_is_of_two_states_and_alone_in_the_list() -> None:
    assert library_model("linear").parameter_names == ("a_11", "a_12", "a_21", "a_22")
    assert library_model("linear2") == library_model("linear")
    assert [name for name in LIBRARY if name.startswith("linear")] == ["linear"]


def test_entries_of_large_matrices_have_names_of_their_own() -> None:
    names = library_model("linear11").parameter_names
    assert len(set(names)) == 121
    assert {"a_1_11", "a_11_1"} <= set(names)


@pytest.mark.parametrize("name", ["linear0", "linear03", "linear3x", "linear-1"])
def test_what_is_no_dimension_is_refused(name: str) -> None:
    with pytest.raises(ModelError, match="Did you mean 'linear'"):
        library_model(name)


def test_more_states_than_make_sense_are_refused_at_once() -> None:
    with pytest.raises(ModelError, match="1 to 30"):
        library_model("linear9999")


@pytest.mark.parametrize("name", ["linear", "linear3"])
def test_its_ready_experiment_tells_the_whole_matrix(name: str) -> None:
    ready.assert_recovered(library_model(name))
