"""One kernel serves every set and order of a model's usual free parameters, with the same bits as one of its own."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

import identikit as ik
from identikit.model import dynamics_of
from identikit.simulation import Integrator, KernelStore, Pieces, kernel_store, parameter_vector

USUAL = ("zeta", "mu_c", "mu_q", "k")


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> KernelStore:
    """An empty store, in which every kernel that is compiled shows."""
    for name, variable in (("cache", "IDENTIKIT_CACHE"), ("state", "XDG_STATE_HOME")):
        (tmp_path / name).mkdir(mode=0o700)
        monkeypatch.setenv(variable, str(tmp_path / name))
    found = kernel_store()
    assert found is not None
    return found


def sensitivities(model: ik.Model, free: tuple[str, ...], changed: dict[str, float] | None = None) -> np.ndarray:
    """States and derivatives at the end of a stretch, [states, 1 + states + free]."""
    integrator = Integrator(dynamics_of(model, free), (0,), sensitivities=True)
    values = parameter_vector(model, changed)
    still = Pieces(np.zeros(1), np.full(1, np.inf), np.zeros((1, len(model.inputs), 4)))
    begin = np.zeros(1)
    run = integrator.run(begin, begin + 3.0, np.array([[0.4, 0.1]]), values, still, np.zeros(1, int), width=8)
    assert not run.failed.any()
    return run.final[0]


def pendulum(drag: float) -> ik.Model:
    """A model that no other test has compiled: `drag` makes it another one."""
    return ik.Model.from_text(
        "pooled",
        equations={"x'": "v", "v'": f"-k*x - zeta*v - mu_q*v*abs(v) - mu_c*sign(v) - {drag}*v**3"},
        parameters={name: ik.Parameter(name, bounds=(0, 50), value=value) for name, value in
                    zip(USUAL, (0.05, 0.02, 0.03, 20.0), strict=True)},
    )  # fmt: skip


def test_any_set_and_order_of_free_parameters_needs_one_kernel_and_gets_the_columns_of_its_own(
    store: KernelStore,
) -> None:
    model = pendulum(0.0125)
    whole = sensitivities(model, USUAL)
    assert store.size().kernels == 1
    sets = [free for count in (1, 2, 3, 4) for free in permutations(USUAL, count)]
    for free in sets[::5]:
        columns = [0, 1, 2, *(3 + USUAL.index(name) for name in free)]
        np.testing.assert_array_equal(sensitivities(model, free), whole[:, columns])
    assert store.size().kernels == 1


def test_a_kernel_with_fewer_columns_gives_the_same_bits(store: KernelStore) -> None:
    """Asked for first, one parameter has a narrow kernel; asked for later, it is a column of the wide one."""
    model = pendulum(0.0135)
    narrow = sensitivities(model, ("k",))
    whole = sensitivities(model, USUAL)
    assert store.size().kernels == 2
    np.testing.assert_array_equal(narrow, whole[:, [0, 1, 2, 6]])


def test_the_columns_are_the_derivatives(store: KernelStore) -> None:
    model, step = pendulum(0.0145), 1e-5
    for name in USUAL:
        value = model.parameter(name).value
        assert value is not None
        ends = [sensitivities(model, (), {name: value + side * step})[:, 0] for side in (-1, 1)]
        exact = sensitivities(model, (name,))[:, 3]
        np.testing.assert_allclose(exact, (ends[1] - ends[0]) / (2 * step), rtol=1e-5, atol=1e-7)


def test_a_pool_that_would_cost_much_is_not_shared(store: KernelStore) -> None:
    """One parameter of twenty costly terms: deriving for all of them would take several times as long."""
    names = tuple(f"a_{i}" for i in range(20))
    terms = " + ".join(f"{name}*sin({i + 1}*x + {name})*exp(-{name}*x**2)" for i, name in enumerate(names))
    model = ik.Model.from_text(
        "costly",
        equations={"x'": "v", "v'": f"-x - 0.001*({terms})"},
        parameters={name: ik.Parameter(name, bounds=(0, 2), value=1.0) for name in names},
    )
    sensitivities(model, names)
    sensitivities(model, names[:1])
    assert store.size().kernels == 2
    sensitivities(model, names[::-1])
    assert store.size().kernels == 2


def test_parameters_that_are_not_usually_free_join_the_pool(store: KernelStore) -> None:
    model = ik.library_model("pendulum")
    usual = model.default_free
    other = next(name for name in model.parameter_names if name not in usual and name != "offset")
    both = sensitivities(model, (*usual, other))
    np.testing.assert_array_equal(
        sensitivities(model, (other, *usual))[:, [0, 1, 2, -1, 3]], both[:, [0, 1, 2, -2, -1]]
    )
    assert store.size().kernels == 1
