"""One front for the tools: look at a model in one of six ways, everything else chosen."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from identikit.errors import ModelError, OptionError, did_you_mean
from identikit.explore._basins import Basins, basins
from identikit.explore._energy import EnergyBalance, energy_balance
from identikit.explore._equilibria import equilibria
from identikit.explore._lyapunov import LyapunovExponent, lyapunov_exponent
from identikit.explore._pace import usual_duration, usual_times
from identikit.explore._poincare import PoincareSection, poincare_section
from identikit.explore._portrait import PhasePortrait, phase_portrait
from identikit.explore._second_order import degree_of_freedom
from identikit.explore._wells import PotentialWells, potential_wells
from identikit.model import TIME, Model, Program, parse, symbol
from identikit.simulation import Pieces, initial_vector, parameter_vector, sampled, simulate, stepped

Finding = PotentialWells | Basins | PoincareSection | PhasePortrait | LyapunovExponent | EnergyBalance
Values = Mapping[str, float] | None
Ranges = Mapping[str, tuple[float, float]]
DENSER = 8  # samples for each of a usual motion: works are sums over them


def examine(
    model: Model,
    view: str,
    parameters: Values = None,
    *,
    initial: Values = None,
    ranges: Ranges | None = None,
    duration: float | None = None,
) -> Finding:
    """Look at a model by `view`: wells, basins, poincare, portrait, lyapunov or energy.

    Motions start at `initial`, else at the example experiment's values, and are driven as there; wells, basins and the
    portraits of models with two states that can rest have the inputs at their own values. `ranges` of states are for
    wells, basins and portrait, `duration` for basins, lyapunov and energy. For all other options see the tool itself.
    """
    if view not in VIEWS:
        raise OptionError(f"there is no view '{view}'.{did_you_mean(view, VIEWS)}")
    parameter_vector(model, parameters)  # refuses unknown names and missing values first
    initial_vector(model, initial)
    for name in ranges or {}:
        if name not in model.state_names:
            raise ModelError(f"model '{model.name}' has no state '{name}'.{did_you_mean(name, model.state_names)}")
    if ranges and view not in WITH_RANGES:
        raise OptionError(f"the view '{view}' takes no ranges: they are for {', '.join(WITH_RANGES)}")
    if duration is not None and view not in WITH_DURATION:
        raise OptionError(f"the view '{view}' takes no duration: it is for {', '.join(WITH_DURATION)}")
    if duration is not None and not 0 < duration < np.inf:
        raise OptionError(f"the duration is {duration:g}: expected a positive number")
    return VIEWS[view](model, parameters, initial, dict(ranges or {}), duration)


def _wells(model: Model, parameters: Values, initial: Values, ranges: Ranges, duration: float | None) -> Finding:
    name = model.state_names[degree_of_freedom(model)[0]]
    if set(ranges) - {name}:
        raise OptionError(f"the wells of '{model.name}' lie along '{name}': give a range of that state only")
    return potential_wells(model, parameters, between=ranges.get(name), initial=initial)


def _basins(model: Model, parameters: Values, initial: Values, ranges: Ranges, duration: float | None) -> Finding:
    if len(ranges) > 1:
        raise OptionError(f"basins vary one state, {len(ranges)} ranges are given ({', '.join(ranges)}): give one")
    along, between = next(iter(ranges.items()), (None, None))
    return basins(model, parameters, along=along, between=between, initial=initial, duration=duration)


def _section(model: Model, parameters: Values, initial: Values, ranges: Ranges, duration: float | None) -> Finding:
    driven, pieces = as_driven(model)
    if pieces is not None:
        raise ModelError(
            f"the example experiment of model '{model.name}' is driven by steps, which do not repeat: no section"
        )
    return poincare_section(driven, parameters, initial=initial, inputs=pieces)


def _portrait(model: Model, parameters: Values, initial: Values, ranges: Ranges, duration: float | None) -> Finding:
    if len(ranges) not in (0, 2):
        raise OptionError(f"a portrait needs ranges of two states, or none; {len(ranges)} is given")
    seen = model if _rests(model, parameters, initial) else as_driven(model)[0]
    return phase_portrait(seen, parameters, box=ranges or None, initial=initial)


def _exponent(model: Model, parameters: Values, initial: Values, ranges: Ranges, duration: float | None) -> Finding:
    driven, pieces = as_driven(model)
    return lyapunov_exponent(driven, parameters, duration=duration, initial=initial, inputs=pieces)


def _energy(model: Model, parameters: Values, initial: Values, ranges: Ranges, duration: float | None) -> Finding:
    degree_of_freedom(model)  # refuses before the work
    total = duration or usual_duration(model, parameters, initial)
    coarse = usual_times(model, total, parameters, initial)
    time = np.linspace(0.0, total, DENSER * (len(coarse) - 1) + 1)  # works are sums over the samples
    solution = simulate(model, time, parameters, initial, _sampled(model, parameters, time))
    return energy_balance(model, solution, parameters)


VIEWS: dict[str, Callable[[Model, Values, Values, Ranges, float | None], Finding]] = {
    "wells": _wells,
    "basins": _basins,
    "poincare": _section,
    "portrait": _portrait,
    "lyapunov": _exponent,
    "energy": _energy,
}
WITH_RANGES = ("wells", "basins", "portrait")
WITH_DURATION = ("basins", "lyapunov", "energy")


def as_driven(model: Model) -> tuple[Model, Pieces | None]:
    """The model with the inputs of its example experiment: in the equations, or as pieces where they are steps."""
    expressions = dict(model.ready.inputs) if model.ready else {}
    steps = stepped(model, expressions) if expressions else None
    return (model, steps) if steps is not None else (model.with_input_expressions(expressions), None)


def _rests(model: Model, parameters: Values, initial: Values) -> bool:
    """Whether without drive there is something to see: two states, with isolated states of rest."""
    if not (model.ready and model.ready.inputs):
        return True
    if len(model.states) != 2:
        return False
    found = equilibria(model, parameters, initial=initial)
    return bool(found) and all(item.isolated for item in found)


def _sampled(model: Model, parameters: Values, time: np.ndarray) -> Pieces | None:
    """The example experiment's inputs as samples, so that what they do can be told from the restoring force."""
    expressions = dict(model.ready.inputs) if model.ready else {}
    if not expressions:
        return None
    steps = stepped(model, expressions)
    if steps is not None:
        return steps
    known = {name: symbol(name) for name in model.parameter_names}
    formulas = [
        parse(expressions.get(item.name, repr(item.value)), known, f"input '{item.name}'") for item in model.inputs
    ]
    rows = Program(formulas, [TIME, *known.values()])(np, [time, *parameter_vector(model, parameters)])
    values = {
        item.name: np.broadcast_to(np.asarray(row, float), time.shape)
        for item, row in zip(model.inputs, rows, strict=True)
    }
    return sampled(time, values, "cubic")
