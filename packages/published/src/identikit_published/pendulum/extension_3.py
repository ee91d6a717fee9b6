"""Extension 3: the pivot is shaken; the damping from amplitude and phase of the response, and from all of it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

import identikit as ik
from identikit.progress import Progress
from identikit_published import independent
from identikit_published._base import PENDULUM_REPORT, Item, Outcome, Scale
from identikit_published.pendulum._pictures import curve
from identikit_published.pendulum._study import mean_bound, relative_error
from identikit_published.pendulum._swing import (
    DAMPINGS,
    FREQUENCY,
    MODEL,
    NOISE,
    PARAMETERS,
    REST,
    SINGLE,
    STIFFNESS,
)
from identikit.result import Panel, PublishedFigure
from identikit.simulation import sampled, simulate

TIME: NDArray[np.float64] = np.arange(3001, dtype=np.float64) * 0.02  # s
SHAKEN, AT = 0.3, 0.97 * FREQUENCY  # g and rad/s: vertical acceleration of the pivot, just below resonance
HALF = 1500  # samples that are left out before amplitude and phase are taken
LOWEST, HIGHEST = 1e-3, 0.2  # bounds of the damping
EVERY = 2  # samples: what is drawn


def shaking(time: NDArray[np.float64]) -> NDArray[np.float64]:
    """The pivot's vertical acceleration in g."""
    return SHAKEN * np.sin(AT * time)


@cache
def response(case: str) -> NDArray[np.float64]:
    """The angle over TIME, from the rest position, without noise."""
    zeta, mu_c, mu_q = (DAMPINGS[case].get(name, 0.0) for name in PARAMETERS)
    return independent.horizontal_pendulum(
        TIME, (REST, 0.0), zeta, mu_c, mu_q, STIFFNESS, q_v=lambda t: SHAKEN * np.sin(AT * t)
    )[0][0]


def first_harmonic(angle: NDArray[np.float64]) -> complex:
    """Amplitude and phase of the second half of the response at the shaking's frequency."""
    time = TIME[HALF:]
    table = np.stack([np.ones_like(time), np.cos(AT * time), np.sin(AT * time)], axis=1)
    found = np.linalg.lstsq(table, angle[HALF:])[0]
    return complex(found[1], -found[2])


def by_first_harmonic(case: str, values: NDArray[np.float64]) -> Mapping[str, float]:
    """One damping by matching amplitude and phase with a simulation; k and the start are known."""
    (name,) = DAMPINGS[case]
    observed = first_harmonic(values)
    pieces = sampled(TIME, {"q_h": np.zeros_like(TIME), "q_v": shaking(TIME)}, "cubic")
    known = {**dict.fromkeys(PARAMETERS, 0.0), "k": STIFFNESS}

    def cost(value: float) -> float:
        motion = simulate(ik.library_model(MODEL), TIME, {**known, name: value}, {"theta": REST, "omega": 0.0}, pieces)
        return float(abs(first_harmonic(motion.outputs["theta"]) - observed) ** 2)

    found = minimize_scalar(cost, bounds=(LOWEST, HIGHEST), method="bounded", options={"xatol": 1e-6})
    return {name: float(found.x)}


def noisy(case: str, seed: int) -> NDArray[np.float64]:
    """The angle as it is measured."""
    return response(case) + NOISE * np.random.default_rng(seed).standard_normal(len(TIME))


def run(scale: Scale, progress: Progress) -> Outcome:
    seeds = range(scale.seeds(5, 1))
    figures, panels = [], []
    cases = scale.some((*SINGLE, "combined"))
    for place, case in enumerate(cases):
        progress(place / len(cases), f"{case} damping")
        records = [noisy(case, seed) for seed in seeds]
        others = {name: 0.0 for name in PARAMETERS if name not in DAMPINGS[case]}
        results = [
            ik.fit(ik.Record.from_arrays(TIME, theta=one, q_v=shaking(TIME)), MODEL, inputs={"q_v": "q_v"},
                   hold="cubic", fix=others)
            for one in records
        ]  # fmt: skip
        matched = [by_first_harmonic(case, one) for one in records] if case in SINGLE else []
        for name, true in DAMPINGS[case].items():
            bound = mean_bound(results, name)
            figures.append(
                PublishedFigure(case, f"error of {name}", "%", "not given",
                                relative_error([one[name] for one in matched], true) if matched else None,
                                relative_error([result.value(name) for result in results], true), 100 * bound / true,
                                "" if matched else "amplitude and phase are two numbers, and tell no three dampings")
            )  # fmt: skip
        shown = results[-1].artifacts["theta, "]
        panels.append(
            Panel(f"{case} damping", "time [s]", "angle [rad]",
                  (curve("measured", TIME[::EVERY], records[-1][::EVERY], "measured"),
                   curve("model", shown["dense_t"], shown["dense"], "model")))
        )  # fmt: skip
    return Outcome(tuple(figures), tuple(panels), _REMARKS, _SETTINGS, len(seeds))


_SETTINGS = {
    "k": STIFFNESS,
    "shaking [g]": SHAKEN,
    "frequency [rad/s]": round(AT, 4),
    "duration [s]": 60,
    "dt [s]": 0.02,
    "noise [rad]": NOISE,
}
_REMARKS = (
    "Proposed in Section 9.3, not done there: its text never defines q_h and q_v. In its public source they are "
    "amplitudes of a displacement, with Omega^2 sin(Omega t) (q_h sin theta - q_v cos theta) on the left of Eq. (1). "
    "Here q_v is the vertical acceleration of the pivot in g, which adds q_v cos theta to the torque (Lagrange's "
    "equations).",
    "As printed: amplitude and phase of the second half of the response, matched by simulation over one damping; k "
    "and the first state are known. Best here: the fit of the whole driven record (shooting), with k and the first "
    "state unknown.",
)

ITEM = Item("pendulum-extension-3", PENDULUM_REPORT, "Extension 3", "Forced response", run)
