"""Run many lanes through the compiled kernel and read the result at any time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from identikit.model import Dynamics
from identikit.numerics import side_by_side
from identikit.progress import poll
from identikit.simulation._compilation import Executable
from identikit.simulation._inputs import Pieces
from identikit.simulation._kernel import Lanes, LaneState, Steps, kernel
from identikit.simulation._pool import Pool

DEFAULT_TOLERANCE = 1e-11  # error per step, relative
MOST_PASSES = 1_000_000  # step attempts in one run: the cap on work
WIDTHS = (1, 8, 32, 128)  # lanes of a kernel: each is compiled by itself, which takes as long as hundreds of its runs
MOST_NARROW = 128
"""Lanes that blocks of the second widest take, side by side: at most 1.7 times as long as one of the widest, and less
where a pass is dear, which does not pay for compiling it."""
MOST_USUAL_BLOCKS = 16
"""Blocks of a caller's usual width that are run before a wider kernel is compiled: side by side they take up to twice
as long, which some evaluations for many parameters at once do not make up for."""
FEW_PER_STEP = 16  # samples per step: below, a product of matrices per step costs more than it saves
BUFFER_BYTES = 16e6  # size of the step buffer: smaller calls the kernel more often, larger only wastes memory


@dataclass(frozen=True)
class Trajectories:
    """Integrated lanes: dense output of the wanted states with derivatives, and the final values of all.

    `begin`, `length` [steps] and `coefficients` [steps, D + 1, wanted, 1 + columns] list all accepted steps,
    lane after lane; `first_step` [lanes + 1] says where each lane's steps start. `final` is [lanes, states, 1
    + columns].
    """

    begin: np.ndarray
    length: np.ndarray
    coefficients: np.ndarray
    first_step: np.ndarray
    final: np.ndarray
    failed: np.ndarray
    longest_step: np.ndarray
    passes: int

    def sample(self, times: np.ndarray, first_sample: np.ndarray) -> np.ndarray:
        """Values [samples, wanted, 1 + columns]; lane l owns samples first_sample[l] to first_sample[l+1]."""
        if len(times) < FEW_PER_STEP * len(self.begin):
            return self._sample_sparsely(times, first_sample)
        first = self._first_sample_of_steps(times, first_sample)
        step = np.repeat(np.arange(len(self.begin)), np.diff(first))
        theta = (times - self.begin[step]) / self.length[step]
        powers = np.empty((len(times), self.coefficients.shape[1]))
        powers[:, 0] = 1.0
        for degree in range(1, powers.shape[1]):
            np.multiply(powers[:, degree - 1], theta, out=powers[:, degree])
        flat = self.coefficients.reshape(*self.coefficients.shape[:2], -1)
        values = np.empty((len(times), flat.shape[2]))
        for index in np.nonzero(np.diff(first))[0]:
            a, b = first[index], first[index + 1]
            np.matmul(powers[a:b], flat[index], out=values[a:b])
        return values.reshape(len(times), *self.coefficients.shape[2:])

    def _sample_sparsely(self, times: np.ndarray, first_sample: np.ndarray) -> np.ndarray:
        """The same where few samples share a step: one compiled evaluation of all pieces, lanes laid end to end."""
        from scipy.interpolate import PPoly

        lane_of_step = np.repeat(np.arange(len(self.first_step) - 1), np.diff(self.first_step))
        lane_of_sample = np.repeat(np.arange(len(first_sample) - 1), np.diff(first_sample))
        start = self.begin[self.first_step[:-1]]
        last = self.first_step[1:] - 1
        spans = 2 * (self.begin[last] + self.length[last] - start)  # with room between lanes
        offset = np.append(0.0, np.cumsum(spans))[:-1]
        breaks = np.append(self.begin - start[lane_of_step] + offset[lane_of_step], offset[-1] + spans[-1])
        powers = self.length[:, None] ** -np.arange(float(self.coefficients.shape[1]))
        with np.errstate(over="ignore"):  # a motion that runs away: what is read of it is not finite, and says so
            flat = self.coefficients.reshape(*self.coefficients.shape[:2], -1) * powers[:, :, None]
        pieces = PPoly.construct_fast(np.ascontiguousarray(np.moveaxis(flat, 1, 0)[::-1]), breaks, extrapolate=True)
        values = pieces(times - start[lane_of_sample] + offset[lane_of_sample])
        return np.asarray(values).reshape(len(times), *self.coefficients.shape[2:])

    def _first_sample_of_steps(self, times: np.ndarray, first_sample: np.ndarray) -> np.ndarray:
        """[steps + 1]: samples first[k] to first[k+1] lie in step k; the last one may end the last step."""
        first = np.empty(len(self.begin) + 1, dtype=np.intp)
        first[-1] = len(times)
        for lane in range(len(first_sample) - 1):
            a, b = first_sample[lane], first_sample[lane + 1]
            low, high = self.first_step[lane], self.first_step[lane + 1]
            first[low] = a
            first[low + 1 : high] = a + np.searchsorted(times[a:b], self.begin[low + 1 : high], side="left")
        return first


class Integrator:
    """Integrates the same dynamics again and again, on lanes of any number and length.

    `wanted` are the states read between steps; `sensitivities` adds derivatives with respect to every initial
    state and every free parameter of the dynamics. `most_passes` caps the step attempts per lane, besides
    one for each input piece; lanes that are not done by then count as failed.
    """

    def __init__(
        self,
        dynamics: Dynamics,
        wanted: tuple[int, ...],
        sensitivities: bool,
        tolerance: float = DEFAULT_TOLERANCE,
        most_passes: int = MOST_PASSES,
        tableau: str = "dop853",
    ) -> None:
        self.tableau = tableau
        self.most_passes = most_passes
        self._pool = Pool.of(dynamics) if sensitivities else Pool.without(dynamics)
        self.dynamics = dynamics
        self.wanted = wanted
        self.tolerance = tolerance
        self.states = len(dynamics.x)
        self.columns = (self.states + len(dynamics.free)) if sensitivities else 0
        self.switches = len(dynamics.guards)

    def run(
        self,
        begin: np.ndarray,
        end: np.ndarray,
        initial: np.ndarray,
        p: np.ndarray,
        pieces: Pieces,
        piece: np.ndarray,
        scale: np.ndarray | None = None,
        step: np.ndarray | None = None,
        width: int | None = None,
    ) -> Trajectories:
        """Integrate lanes from `begin` to `end` [lanes], `initial` [lanes, states], `p` [P] or [lanes, P].

        `piece` [lanes] is the input piece in force at each beginning, `scale` [states] the typical size of
        the states (for the absolute tolerance), `step` [lanes] a first step to try, as `longest_step` of an
        earlier run. `width` is the number of lanes that the caller usually asks for: its kernel is compiled already.
        """
        count = len(begin)
        p = np.broadcast_to(p, (count, len(self.dynamics.model.parameters)))
        scale = np.zeros(self.states) if scale is None else scale
        lanes = _width(width or count)
        if count > MOST_USUAL_BLOCKS * lanes:
            lanes = _width(count)
        blocks = -(-count // lanes)
        size = -(-count // blocks)

        padded = _pad_pieces(pieces)
        derived = self._pool.derived((self.wanted, self.tableau, lanes, len(padded.begins)))
        run = kernel(self._pool.dynamics, self.wanted, self._capacity(lanes, derived), self.tableau)

        def block(first: int) -> Trajectories:
            part = slice(first, min(first + size, count))
            own = None if step is None else step[part]
            return self._run_block(
                run, derived, begin[part], end[part], initial[part], p[part], padded, piece[part], scale, own, lanes
            )

        return _join(side_by_side(block, range(0, count, size)))

    def _run_block(
        self,
        run: Executable,
        derived: np.ndarray,
        begin: np.ndarray,
        end: np.ndarray,
        initial: np.ndarray,
        p: np.ndarray,
        pieces: Pieces,
        piece: np.ndarray,
        scale: np.ndarray,
        step: np.ndarray | None,
        width: int,
    ) -> Trajectories:
        count = len(begin)
        capacity = self._capacity(width, derived)
        spare = width - count
        X = np.zeros((self.states, 1 + self._pool.columns(derived), width))
        X[:, 0, :count] = initial.T
        if spare:
            X[:, 0, count:] = initial[-1][:, None]
        for i in range(self.states if self.columns else 0):
            X[i, 1 + i] = 1.0
        lane_p = _extended(p.T, spare)
        guess = np.maximum(end - begin, 0.0) / 20 if step is None else step
        state = LaneState(
            t=_extended(begin, spare),
            X=X,
            step=_extended(guess, spare),
            mode=np.zeros((self.switches, width)),
            pending=np.ones((self.switches, width), bool),
            side=self._sides(X[:, 0], lane_p),
            landing=np.zeros(width),
            which=np.zeros(width, np.int32),
            piece=_extended(piece.astype(np.int32), spare),
            failed=np.zeros(width, bool),
            scale=np.maximum(scale[:, None], np.abs(X[:, 0])),
            steepness=np.abs(X[:, 1:]),
        )
        state = self._initial_modes(state, p, pieces, count)
        lanes = Lanes(
            end=np.concatenate([end, np.full(spare, -np.inf)]),
            p=lane_p,
            begins=pieces.begins,
            ends=pieces.ends,
            coefficients=pieces.coefficients,
            tolerance=np.float64(self.tolerance),
            derived=derived,
        )
        asked = 1 + self.columns
        collected = []
        passes = 0
        while True:
            poll()
            state, steps = run(state, lanes)
            collected.append(_used(steps, count, asked))
            passes += capacity
            unfinished = (np.asarray(state.t)[:count] < end) & ~np.asarray(state.failed)[:count]
            if not unfinished.any() or passes >= self.most_passes + len(pieces.begins):
                break
        failed = np.asarray(state.failed)[:count] | unfinished
        final = np.moveaxis(np.asarray(state.X)[:, :asked, :count], -1, 0)
        return _collect(collected, begin, end, final, failed, passes, self.wanted)

    def _capacity(self, width: int, derived: np.ndarray) -> int:
        """Steps that fit the buffer of so many lanes."""
        per_step = 8.0 * 8 * len(self.wanted) * (1 + self._pool.columns(derived)) * width
        return int(np.clip(2 ** np.floor(np.log2(BUFFER_BYTES / per_step)), 8, 512 if width == 1 else 64))

    def _sides(self, x: np.ndarray, p: np.ndarray) -> np.ndarray:
        """On which side of every kink each lane begins."""
        levels = self.dynamics.levels(np, p) if self.dynamics.kinks else []
        beyond = [x[state] >= level for (state, _), level in zip(self.dynamics.kinks, levels, strict=True)]
        return np.where(np.array(beyond, bool).reshape(len(beyond), x.shape[1]), 1.0, -1.0)

    def _initial_modes(self, state: LaneState, p: np.ndarray, pieces: Pieces, count: int) -> LaneState:
        """Slip in the direction of motion; what is at zero is decided by the forces (pending)."""
        if not self.switches:
            return state
        width = state.t.shape[0]
        u = np.zeros((len(self.dynamics.u), width))
        if len(self.dynamics.u):
            c = pieces.coefficients[state.piece]
            tau = (state.t - pieces.begins[state.piece])[:, None]
            u = (c[..., 0] + tau * (c[..., 1] + tau * (c[..., 2] + tau * c[..., 3]))).T
        full = _extended(p.T, width - count)
        guards = self.dynamics.guard(np, state.t, list(state.X[:, 0]), list(u), list(full))
        mode = np.sign(np.stack([np.broadcast_to(guard, (width,)) for guard in guards]))
        return state._replace(mode=mode, pending=mode == 0)


def _width(count: int) -> int:
    """Lanes of one block of so many."""
    *narrow, widest = WIDTHS
    return widest if count > MOST_NARROW else next((width for width in narrow if count <= width), narrow[-1])


def _extended(values: np.ndarray, spare: int) -> np.ndarray:
    """The last entry of the last axis repeated for lanes that idle."""
    return np.concatenate([values, np.repeat(values[..., -1:], spare, axis=-1)], axis=-1) if spare else values


def _pad_pieces(pieces: Pieces) -> Pieces:
    """Input tables are padded to powers of four, for the same reason."""
    count = len(pieces.begins)
    size = 1
    while size < count:
        size *= 4
    extra = size - count
    if not extra:
        return pieces
    return Pieces(
        np.pad(pieces.begins, (0, extra), mode="edge"),
        np.pad(pieces.ends, (0, extra), constant_values=np.inf),
        np.pad(pieces.coefficients, [(0, extra), (0, 0), (0, 0)], mode="edge"),
    )


def _used(steps: Steps, count: int, asked: int) -> tuple[np.ndarray, ...]:
    """Lane, begin, length and the first `asked` columns of the coefficients of the slots that hold an accepted step,
    lane after lane."""
    lengths = np.asarray(steps.length)[:, :count]
    lane, slot = np.nonzero(lengths.T > 0)
    coefficients = np.moveaxis(np.asarray(steps.coefficients)[..., :asked, :], -1, 1)[slot, lane]
    return lane, np.asarray(steps.begin)[slot, lane], lengths[slot, lane], coefficients


def _collect(
    collected: list[tuple[np.ndarray, ...]],
    begin: np.ndarray,
    end: np.ndarray,
    final: np.ndarray,
    failed: np.ndarray,
    passes: int,
    wanted: tuple[int, ...],
) -> Trajectories:
    """Join the kernel's calls and order the steps lane after lane."""
    lane, start, length, coefficients = (np.concatenate(parts) for parts in zip(*collected, strict=True))
    empty = np.nonzero(np.bincount(lane, minlength=len(begin)) == 0)[0]
    if len(empty):  # a lane of zero duration, or one that failed at once, still has one step to be read at
        lane, start = np.concatenate([lane, empty]), np.concatenate([start, begin[empty]])
        length = np.concatenate([length, np.ones(len(empty))])
        constant = np.zeros((len(empty), *coefficients.shape[1:]))
        constant[:, 0] = final[empty][:, list(wanted)]
        coefficients = np.concatenate([coefficients, constant])
    if len(collected) > 1 or len(empty):
        order = np.argsort(lane, kind="stable")
        lane, start, length, coefficients = lane[order], start[order], length[order], coefficients[order]
    first = np.searchsorted(lane, np.arange(len(begin) + 1))
    longest = np.maximum(np.maximum.reduceat(length, first[:-1]), 1e-3 * np.maximum(end - begin, 0.0))
    return Trajectories(start, length, coefficients, first, final, failed, longest, passes)


def _join(parts: list[Trajectories]) -> Trajectories:
    if len(parts) == 1:
        return parts[0]
    offsets = np.cumsum([0] + [part.first_step[-1] for part in parts])
    first = [part.first_step[:-1] + offset for part, offset in zip(parts, offsets, strict=False)]
    return Trajectories(
        np.concatenate([part.begin for part in parts]),
        np.concatenate([part.length for part in parts]),
        np.concatenate([part.coefficients for part in parts]),
        np.concatenate([*first, [offsets[-1]]]),
        np.concatenate([part.final for part in parts]),
        np.concatenate([part.failed for part in parts]),
        np.concatenate([part.longest_step for part in parts]),
        max(part.passes for part in parts),
    )
