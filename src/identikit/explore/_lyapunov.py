"""The largest Lyapunov exponent: how fast neighbouring motions part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from identikit.errors import OptionError, SimulationError
from identikit.explore._flow import Flow, has_dry_friction
from identikit.explore._pace import usual_period
from identikit.explore._subject import Subject
from identikit.model import Model, dynamics_of
from identikit.simulation import Integrator, Pieces, parameter_vector, simulate

BLOCKS = 10  # of the run, whose scatter gives the standard error
PERIODS = 500  # of the forcing or of the motion, if no duration is given
TRANSIENT = 50  # of them before
LOOKS = 200  # places of the motion at which its fastest rate is asked for
MOST_PIECES = 50_000  # intervals of a run, however fast the motion
AT_REST = 1e-9  # of its size: a motion that moves less rests


@dataclass(frozen=True)
class LyapunovExponent:
    """Its value per time unit, its standard error from ten parts of the run, and the running mean over time.

    `at_rest` says that the motion stood still: then it is the exponent of a state of rest.
    """

    subject: Subject
    value: float
    std: float
    time: np.ndarray
    history: np.ndarray
    at_rest: bool = False

    def __str__(self) -> str:
        from identikit.explore._text import exponent_text

        return exponent_text(self)


def lyapunov_exponent(
    model: Model,
    parameters: Mapping[str, float] | None = None,
    *,
    duration: float | None = None,
    transient: float | None = None,
    interval: float | None = None,
    initial: Mapping[str, float] | None = None,
    inputs: Pieces | None = None,
    tolerance: float = 1e-9,
) -> LyapunovExponent:
    """lambda = lim 1/T ln |Phi(T) d|, Phi the solution of the variational equations Phi' = df/dx Phi.

    The motion is simulated once; its pieces of length `interval` (a thousandth of `duration`) are then integrated side
    by side with their transition matrices Phi_k, and a perturbation is carried through them, rescaled each time.
    Jumps of the sensitivities at switches (dry friction, impacts of inputs) are included.

    Without `duration` it is 500 periods of the forcing, else of the motion from its start, in pieces of half a period;
    `transient` is then 50 of them, and zero otherwise.

    After `transient`, the perturbation is first carried through a tenth of the run to find its direction; that
    tenth does not count. It converges like 1/T at best and like 1/sqrt(T) in chaos: see `std`.

    Refused for a motion that dry friction brings to a stand: the states in which it can be held form a line, along
    which a perturbation neither grows nor shrinks, so the mean growth says only how long one has waited.

    Reference: G. Benettin, L. Galgani, A. Giorgilli, J.-M. Strelcyn, Meccanica 15 (1980) 9-20.
    """
    if duration is None:
        period = usual_period(model, parameters, initial, inputs)
        duration, interval = PERIODS * period, interval or period / 2
        transient = TRANSIENT * period if transient is None else transient
    transient = transient or 0.0
    if not (duration > 0 and transient >= 0 and (interval is None or 0 < interval <= duration / BLOCKS)):
        raise OptionError(
            "an exponent needs a positive duration, a transient of zero or more and an interval of at most a tenth "
            f"of the duration. Got {duration}, {transient} and {interval} instead."
        )
    count = int(np.ceil(duration / (interval or duration / 1000)))
    settling = count // BLOCKS
    nodes = transient + duration / count * np.arange(count + settling + 1)
    matrices, at_rest = _transitions(model, parameters, initial, inputs, nodes, tolerance)
    direction = np.ones(len(model.states)) / np.sqrt(len(model.states))
    growth = np.empty(len(matrices))
    for index, matrix in enumerate(matrices):
        direction = matrix @ direction
        size = float(np.linalg.norm(direction))
        if not 0 < size < np.inf:
            raise SimulationError(
                f"a perturbation of '{model.name}' shrinks to nothing or grows without bound: "
                "shorten the interval (dry friction that sticks ends every perturbation)"
            )
        growth[index] = np.log(size)
        direction /= size
    growth = growth[settling:]
    step = duration / count
    blocks = [part.mean() / step for part in np.array_split(growth, BLOCKS)]
    elapsed = step * np.arange(1, count + 1)
    return LyapunovExponent(
        Subject.of(model, parameters),
        float(growth.mean() / step),
        float(np.std(blocks, ddof=1) / np.sqrt(BLOCKS)),
        elapsed,
        np.cumsum(growth) / elapsed,
        at_rest,
    )


def _transitions(
    model: Model,
    parameters: Mapping[str, float] | None,
    initial: Mapping[str, float] | None,
    inputs: Pieces | None,
    nodes: np.ndarray,
    tolerance: float,
) -> tuple[np.ndarray, bool]:
    """dx(t_k+1)/dx(t_k) of all intervals, [intervals, states, states], each state in units of its own way.

    Also whether the motion stands still.
    """
    pieces = inputs or Pieces.constant([item.value for item in model.inputs])
    asked = nodes if nodes[0] == 0 else np.concatenate([[0.0], nodes])
    states = simulate(model, asked, parameters, initial, inputs, tolerance).states[:, -len(nodes) :]
    if model.symbolic and has_dry_friction(model, parameters) and not np.ptp(states[:, -2:], axis=1).any():
        held = nodes[np.argmax((states == states[:, -1:]).all(axis=0))]
        raise SimulationError(
            f"dry friction holds model '{model.name}' from t = {held:g} on, if not before: where it stands is one of a "
            "line of states of rest, along which a perturbation neither grows nor shrinks: it has no exponent. "
            "Drive it, or leave dry friction out"
        )
    fine = _divided(nodes, _fastest(model, parameters, pieces, nodes, states))
    parts = (len(fine) - 1) // (len(nodes) - 1)
    if parts > 1:
        asked = fine if fine[0] == 0 else np.concatenate([[0.0], fine])
        states = simulate(model, asked, parameters, initial, inputs, tolerance).states[:, -len(fine) :]
    integrator = Integrator(dynamics_of(model), (0,), sensitivities=True, tolerance=tolerance)
    begin = fine[:-1]
    scale = np.abs(states).max(axis=1)
    run = integrator.run(
        begin, fine[1:], states.T[:-1], parameter_vector(model, parameters), pieces, pieces.index(begin), scale
    )
    if run.failed.any():
        raise SimulationError(f"the variational equations of '{model.name}' could not be integrated")
    matrices = run.final[:, :, 1:].reshape(-1, parts, len(states), len(states))
    whole = matrices[:, 0]
    for part in range(1, parts):
        whole = matrices[:, part] @ whole
    # In units of each state's own way; the limit is the same, but a perturbation that turns does not swell and shrink.
    size = np.ptp(states, axis=1)
    size = np.where(size > 0, size, scale)
    size = np.where(size > 0, size, 1.0)
    return whole * size / size[:, None], bool((np.ptp(states, axis=1) <= AT_REST * scale).all())


def _fastest(
    model: Model, parameters: Mapping[str, float] | None, pieces: Pieces, nodes: np.ndarray, states: np.ndarray
) -> float:
    """The largest eigenvalue of the linearised model met on the way; zero for a model that is a function."""
    if not model.symbolic:
        return 0.0
    chosen = np.unique(np.linspace(0, len(nodes) - 1, LOOKS).astype(int))
    flow = Flow(model, parameters)
    flow.u = list(pieces(nodes[chosen]))
    with np.errstate(all="ignore"):
        slopes = flow.jacobian(nodes[chosen], states[:, chosen])
    slopes = slopes[np.isfinite(slopes).all(axis=(1, 2))]
    return float(np.abs(np.linalg.eigvals(slopes)).max(initial=0.0))


def _divided(nodes: np.ndarray, fastest: float) -> np.ndarray:
    """Intervals so short that one step across each is exact.

    The integrator chooses its steps by the error of the motion. Where that has come to rest it has none, and steps
    would grow beyond what the variational equations bear.
    """
    step = float(nodes[1] - nodes[0])
    most = max(1, MOST_PIECES // (len(nodes) - 1))
    parts = int(np.clip(np.ceil(step * fastest), 1, most))
    return nodes[0] + step / parts * np.arange((len(nodes) - 1) * parts + 1)
