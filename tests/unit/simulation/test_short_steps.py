"""Short fixed steps agree with the independent integrator, dry friction and its derivatives included."""

import numpy as np
import pytest

import identikit as ik
import reference
from identikit.model import dynamics_of
from identikit.simulation import Integrator, Pieces, ShortSteps

FREE = ("zeta", "mu_c", "mu_q", "k")


def blocks(times: np.ndarray, states: np.ndarray, samples: int) -> tuple[np.ndarray, np.ndarray]:
    """Grid times [samples + 1, blocks] and initial states [blocks, states]."""
    count = (len(times) - 1) // samples
    grid = np.stack([times[k * samples : (k + 1) * samples + 1] for k in range(count)], axis=1)
    return grid, states[:, : count * samples : samples].T


@pytest.mark.parametrize("dampings", [(0.025, 0.015, 0.025), (0.0, 0.1, 0.0)], ids=["combined", "sticks"])
def test_blocks_follow_the_reference_through_reversals_and_rest(dampings: tuple[float, float, float]) -> None:
    times = np.arange(0, 40.001, 0.004)
    zeta, mu_c, mu_q = dampings
    states, _ = reference.horizontal_pendulum(times, zeta=zeta, mu_c=mu_c, mu_q=mu_q)
    dynamics = dynamics_of(ik.library_model("horizontal_pendulum"), FREE)
    p, inputs = np.array([zeta, mu_c, mu_q, 20.0]), Pieces.constant([0.0, 0.0])
    grid, begun = blocks(times, states, 50)
    piece = np.zeros((50, len(begun)), np.int32)
    values, final = ShortSteps(dynamics, (0, 1)).run(grid, begun, p, inputs, piece)
    true = np.stack([states[:, k * 50 + 1 : (k + 1) * 50 + 1] for k in range(len(begun))], axis=-1)
    assert np.abs(np.moveaxis(values[:, :, 0], 1, 0) - true).max() < 5e-9
    adaptive = Integrator(dynamics, (0, 1), True).run(grid[0], grid[-1], begun, p, inputs, piece[0])
    assert np.abs(np.moveaxis(final, -1, 0) - adaptive.final).max() < 1e-7


def test_long_steps_are_not_exact_and_a_finer_grid_mends_them() -> None:
    """Negative control: a step of a seventh of a period is too long, and eight in its place are not."""
    times = np.arange(0, 4.01, 0.2)
    states, _ = reference.horizontal_pendulum(times, zeta=0.05)
    dynamics = dynamics_of(ik.library_model("horizontal_pendulum"), FREE)
    errors = []
    for steps in (1, 8):
        grid = np.interp(np.arange(20 * steps + 1) / steps, np.arange(21), times)[:, None]
        values, _ = ShortSteps(dynamics, (0, 1)).run(
            grid,
            states[:, :1].T,
            np.array([0.05, 0.0, 0.0, 20.0]),
            Pieces.constant([0.0, 0.0]),
            np.zeros((20 * steps, 1), np.int32),
        )
        errors.append(np.abs(values[steps - 1 :: steps, 0, 0, 0] - states[0, 1:21]).max())
    assert errors[0] > 1e-2
    assert errors[1] < 1e-4


def test_a_lane_that_repeats_its_last_time_waits_there() -> None:
    dynamics = dynamics_of(ik.library_model("horizontal_pendulum"), FREE)
    grid = np.array([[0.0, 0.0], [0.01, 0.01], [0.02, 0.01]])
    _, final = ShortSteps(dynamics, (0,)).run(
        grid, np.array([[0.5, 0.0], [0.5, 0.0]]), np.array([0.1, 0.0, 0.0, 20.0]), Pieces.constant([0.0, 0.0]),
        np.zeros((2, 2), np.int32),
    )  # fmt: skip
    assert final[1, 0, 0] < final[1, 0, 1] < 0


def test_lanes_shared_out_among_cores_march_as_those_of_one_core(monkeypatch: pytest.MonkeyPatch) -> None:
    dynamics = dynamics_of(ik.library_model("duffing"), ("c", "k", "k3"))
    begun = np.stack([np.linspace(0.1, 0.9, 64), np.zeros(64)], axis=1)
    grid = np.repeat(np.arange(5)[:, None] * 0.02, 64, axis=1)
    p, inputs = np.array([1.0, 0.1, 20.0, 3.0, 0.0, 1.0]), Pieces.constant([])
    found = []
    for cores in (1, 2):
        monkeypatch.setattr("os.cpu_count", lambda cores=cores: cores)
        found.append(ShortSteps(dynamics, (0, 1)).run(grid, begun, p, inputs, np.zeros((4, 64), np.int32)))
    for alone, shared in zip(*found, strict=True):
        assert np.abs(alone - shared).max() < 1e-12
