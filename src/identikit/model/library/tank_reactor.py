"""Stirred tank reactor with a cooling jacket."""

from __future__ import annotations

from identikit.model._model import Model
from identikit.model._parameter import Input, Parameter, ReadyExperiment

COOL, HOT = 335.0, 365.0  # K, temperature of the coolant


def model() -> Model:
    """A reactant that flows through a tank, reacts and heats it, while a jacket cools it.

        C' = -(k + F_in) C + F_in C_in
        T' = -(alpha + F_in) T + 130 k C + F_in T_in + alpha T_co
        k = kappa exp(-10^4 tau (1/T - 1/350)),      alpha = a F_co^1.5 / (F_co + a F_co^0.5 / 2)

    C is the concentration and T the temperature in the tank, whose volume is 1 (m^3); k is the rate of the
    reaction (Arrhenius), alpha the rate at which the jacket takes heat. The exponent 0.5 of F_co, the heat of
    reaction 130 K m^3/kmol and the temperature of reference 350 K are known. No heat capacity of wall or jacket, and
    the tank is perfectly mixed.
    """
    return Model.from_text(
        "tank_reactor",
        title="Stirred tank reactor with a cooling jacket, driven by steps of five inputs",
        states={"C": "kmol/m^3", "T": "K"},
        equations={
            "C": f"-({_RATE} + F_in)*C + F_in*C_in",
            "T": f"-F_in*T + 130*{_RATE}*C + F_in*T_in + {_COOLING}*(T_co - T)",
        },
        parameters=[
            Parameter("tau", 0.833, "", (0.4, 1.8), meaning="energy of activation over R, in 10^4 K"),
            Parameter("kappa", 0.461, "1/min", (0.1, 1.8), meaning="rate of the reaction at 350 K"),
            Parameter("a", 1.678, "", (0.4, 5.0), meaning="strength of the cooling per root of the coolant's flow"),
        ],
        inputs=[
            Input("F_in", "m^3/min", 1.0, "flow of the reagent, in tank volumes", hold="zero_order"),
            Input("C_in", "kmol/m^3", 2.0, "concentration of the reagent", hold="zero_order"),
            Input("T_in", "K", 323.0, "temperature of the reagent", hold="zero_order"),
            Input("T_co", "K", COOL, "temperature of the coolant on entry", hold="zero_order"),
            Input("F_co", "m^3/min", 15.0, "flow of the coolant", hold="zero_order"),
        ],
        outputs={"C": "C", "T": "T"},
        time_unit="min",
        ready=ReadyExperiment({"C": 1.5965, "T": 341.3754}, 64.0, 1 / 12, {"C": 0.005, "T": 0.2}, step_schedule(COOL)),
        source="J. O. Ramsay, G. Hooker, D. Campbell, J. Cao, J. R. Stat. Soc. B 69 (2007) 741-796, section 1.1; "
        "steps as in the R package fda (CSTR2in, 'all.cool.step')",
        notes=(
            "The heat of reaction is 130 k C. Where 130 (k + F_in) C is printed, the inflow would heat the tank by "
            "itself: the cool tank would swing between 354 and 432 K for ever instead of settling at (1.5965, 341.38).",
            "Inputs jump: keep them as steps (zero-order hold). A spline through them alone moves a by 4 %.",
            "A hot tank (T_co around 365 K) tells far more: `hot_schedule()` of identikit.model.library.tank_reactor, "
            "which settles at C 0.26456, T 393.952.",
        ),
    )


_RATE = "kappa*exp(-10000*tau*(1/T - 1/350))"
_COOLING = "a*F_co**1.5/(F_co + a*F_co**0.5/2)"


def step_schedule(coolant: float) -> dict[str, str]:
    """The five inputs as expressions of time (min): each goes up for 4 min, then down for 4 min, one after another."""
    return {
        "F_in": _steps(1.0, 0.5, 4),
        "C_in": _steps(2.0, 0.2, 16),
        "T_in": _steps(323.0, 20.0, 28),
        "T_co": _steps(coolant, 5.0, 40),
        "F_co": _steps(15.0, 5.0, 52),
    }


def hot_schedule() -> dict[str, str]:
    """The steps of the hot experiment: the coolant enters at 365 K instead of 335 K."""
    return step_schedule(HOT)


def _steps(base: float, height: float, begin: int) -> str:
    up, down, back = (f"heaviside(t - {begin + 4 * index})" for index in range(3))
    return f"{base!r} + {height!r}*({up} - 2*{down} + {back})"
