"""An answer of every kind from every front door, on the records of a few quick systems."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from functools import cache, partial
from typing import Any

from saved_answers import ANSWERS as BY_HAND  # of tests/unit/reporting: one of every kind

import identikit as ik
from golden.cells import systems
from golden.panels import panels_of
from golden.records import record_of
from identikit import explore
from identikit.cli.main import main
from identikit.model import library_model

DUFFING = "duffing"
RING = partial(record_of, DUFFING)
PATIENCE = 36_000.0  # seconds: that no method of a comparison is ended by a clock


@cache
def spring() -> ik.Model:
    """What the duffing oscillator is without its cubic term."""
    names = {name: ik.Parameter(name, bounds=(0, 100)) for name in "kc"}
    return ik.Model.from_text("spring", equations={"x''": "-k*x - c*x'"}, parameters=names)


@cache
def fitted() -> ik.Result:
    return ik.fit(RING(), DUFFING, method="shooting")


def _with_intervals(kind: str, **options: Any) -> ik.Result:
    return ik.fit(RING(), DUFFING, method="shooting", uncertainty=kind, uncertainty_options=options)


def _damping_of(system: str, model: str | None, column: str) -> ik.DampingReport:
    return ik.damping(record_of(system), model, **({} if model else {"outputs": {"x": column}}))


def _discovered(method: str, known: ik.Model | None = None, **options: Any) -> ik.Result:
    return ik.discover(RING(), known, method=method, options=options)


def _compared(system: str, *methods: str, held_out: bool) -> ik.ComparisonReport:
    return ik.compare(record_of(system), system, methods=methods, held_out=held_out, time_limit=PATIENCE)


# what is saved: system -> what -> the work
ANSWERS: dict[str, dict[str, Callable[[], Any]]] = {
    DUFFING: {
        "predict_estimated": lambda: ik.predict(fitted(), RING()),
        "predict_first_part": lambda: ik.predict(fitted(), RING(), initial="first_part", part=0.4),
        "uncertainty_profile": lambda: _with_intervals("profile", pair="k,k3"),
        "uncertainty_bootstrap": lambda: _with_intervals("bootstrap", replicates=60),
        "uncertainty_sandwich": lambda: _with_intervals("sandwich"),
        "uncertainty_bayes": lambda: _with_intervals("bayes", draws=100, chains=2),
        "damping_known": lambda: _damping_of(DUFFING, DUFFING, "x"),
        "damping_unknown": lambda: _damping_of(DUFFING, None, "x"),
        "select": lambda: ik.select(RING(), [spring(), DUFFING, "van_der_pol"]),
        "identifiability_planned": lambda: ik.identifiability(DUFFING),
        "identifiability_measured": lambda: ik.identifiability(DUFFING, RING()),
        "design": lambda: ik.design(DUFFING, runs=2, fits=0),
        "design_checked": lambda: ik.design(fit=fitted(), runs=1, fits=4, reach={"k": 0.01}),
        "discover_sindy": lambda: _discovered("sindy"),
        "discover_symbolic": lambda: _discovered("symbolic"),
        "discover_missing": lambda: _discovered("missing", spring()),
        "discover_pinn": lambda: _discovered("pinn"),
        "discover_neural_ode": lambda: _discovered("neural_ode", spring()),
        "compare": lambda: _compared(DUFFING, "shooting", "galerkin", "least_squares", "uas", held_out=True),
    },
    "linear": {
        "compare": lambda: _compared("linear", "shooting", "reference_points", "kalman", "averaging", held_out=False),
        "identifiability_planned": lambda: ik.identifiability("linear", noise={"x_1": 0.02}),
        "discover_sindy": lambda: ik.discover(record_of("linear"), method="sindy"),
    },
    "pendulum": {"damping_known": lambda: _damping_of("pendulum", "pendulum", "theta")},
    "lorenz": {"discover_sindy": lambda: ik.discover(record_of("lorenz"), method="sindy")},
    "friction_drive": {
        "look_driven": lambda: ik.look(record_of("friction_drive", driven=True)),
        "design": lambda: ik.design("friction_drive", runs=1, fits=0),
    },
}
for _system in systems():
    ANSWERS.setdefault(_system, {})["look"] = lambda system=_system: ik.look(record_of(system))

# what is printed and drawn without being saved
VIEWS: dict[str, dict[str, Callable[[], Any]]] = {
    "magnetic_pendulum": {
        view: partial(lambda view: explore.examine(library_model("magnetic_pendulum"), view), view)
        for view in ("wells", "basins")
    },
    "van_der_pol": {"portrait": lambda: explore.examine(library_model("van_der_pol"), "portrait")},
    "pendulum": {
        "energy_balance": lambda: explore.examine(library_model("pendulum"), "energy"),
        "poincare": lambda: explore.examine(library_model("pendulum"), "poincare"),
    },
    "lorenz": {"lyapunov": lambda: explore.examine(library_model("lorenz"), "lyapunov", duration=20.0)},
    "friction_drive": {"simulate": lambda: ik.simulate("friction_drive", duration=2.0, dt=0.02, seed=1)},
}

PAGES = "pages"  # what needs no system: printed lists, and every kind of report of answers made by hand
COMMANDS = ("methods", "methods shooting", "models", "models duffing", "friction", "friction stribeck")


def printed(command: str) -> str:
    """What a command prints, and how it ends."""
    stream = io.StringIO()
    with contextlib.redirect_stdout(stream), contextlib.redirect_stderr(stream):
        code = main(command.split())
    return f"{stream.getvalue()}exit code {code}"


def names_of(system: str) -> tuple[str, ...]:
    """The names of the answers of a system, `system/what`."""
    if system == PAGES:
        return (*(f"{PAGES}/{kind}" for kind in BY_HAND), f"{PAGES}/commands")
    return tuple(f"{system}/{what}" for table in (ANSWERS, VIEWS) for what in table.get(system, {}))


def kinds_of(name: str) -> tuple[str, ...]:
    """The kinds of pictures that are compared: all there are of some answers, the usual one of the others."""
    what = name.split("/")[1]
    if what == "uncertainty_bayes":
        return ("uncertainty", "posterior")
    if what.startswith("uncertainty_"):
        return ("uncertainty",)
    return ("usual", "response") if what in ("auto", "predict_estimated") else ("usual",)


def viewed(name: str) -> dict[str, Any]:
    """Texts and panels of what has no saved form."""
    system, what = name.split("/")
    if what == "commands":
        return {"texts": {command: printed(command) for command in COMMANDS}}
    answer = VIEWS[system][what]()
    return {"texts": {"printed": str(answer)}, "panels": {"usual": panels_of(ik.plot(answer))}}


def is_saved(name: str) -> bool:
    system, what = name.split("/")
    return what in ANSWERS.get(system, {}) or (system == PAGES and what != "commands")


def answered(name: str) -> Any:
    """An answer that has a saved form."""
    system, what = name.split("/")
    return BY_HAND[what]() if system == PAGES else ANSWERS[system][what]()
