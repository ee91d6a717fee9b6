"""Predator and prey: Lotka and Volterra's equations."""

from __future__ import annotations

from identikit.model._model import Model
from identikit.model._parameter import Parameter, ReadyExperiment


def model() -> Model:
    """Hares that multiply and are eaten, lynxes that starve and eat.

        hare' = alpha hare - beta hare lynx
        lynx' = -gamma lynx + delta hare lynx

    Both populations are positive and in any unit of number, thousands of pelts for the usual values. The orbit is
    closed: delta hare - gamma log(hare) + beta lynx - alpha log(lynx) is constant. Without limits to growth,
    satiation, seasons or chance.
    """
    return Model.from_text(
        "lotka_volterra",
        title="Lotka-Volterra predator and prey, counted or as logarithms",
        states={"hare": "", "lynx": ""},
        equations={"hare": "alpha*hare - beta*hare*lynx", "lynx": "-gamma*lynx + delta*hare*lynx"},
        parameters=[
            Parameter("alpha", 0.55, "1/year", (0, 20), meaning="growth rate of the prey alone"),
            Parameter("beta", 0.028, "1/year", (0, 100), meaning="loss of prey per predator (per unit of number)"),
            Parameter("gamma", 0.80, "1/year", (0, 20), meaning="death rate of the predators alone"),
            Parameter("delta", 0.024, "1/year", (0, 100), meaning="growth of predators per prey (per unit of number)"),
        ],
        outputs={"hare": "hare", "lynx": "lynx", "log_hare": "log(hare)", "log_lynx": "log(lynx)"},
        ready=ReadyExperiment(
            {"hare": 34.0, "lynx": 5.9},
            40.0,
            0.25,
            {"hare": 2.0, "lynx": 2.0, "log_hare": 0.1, "log_lynx": 0.1},
        ),
        source="A. Lotka (1925), V. Volterra (1926); usual values: posterior means for the Hudson Bay pelts of "
        "1900-1920, B. Carpenter, Stan case study (2018)",
        notes=(
            "Give a record either hare and lynx or log_hare and log_lynx (natural logarithms), never both of one "
            "count. Noise in proportion to the number, as in counted animals, is even in the logarithms: use those. "
            "The example experiment has four independent sensors.",
            "The Hudson Bay record has one sample a year, 21 in all, and log-normal noise of some 25 %.",
        ),
        time_unit="year",
    )
