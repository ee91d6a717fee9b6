"""FitzHugh and Nagumo's model of a firing nerve."""

from __future__ import annotations

from identikit.model._model import Model
from identikit.model._parameter import Parameter, ReadyExperiment


def model() -> Model:
    """A voltage that fires and a slow variable that lets it recover.

        V' = c (V - V^3/3 + R)
        R' = -(V - a + b R)/c

    V is the voltage across the membrane, R the recovery current outward taken negative; without dimensions. It fires
    periodically at the usual values.
    """
    return Model.from_text(
        "fitzhugh_nagumo",
        title="FitzHugh-Nagumo nerve model: fast voltage, slow recovery",
        states={"V": "", "R": ""},
        equations={"V": "c*(V - V**3/3 + R)", "R": "-(V - a + b*R)/c"},
        parameters=[
            Parameter("a", 0.2, "", (-5, 5), meaning="voltage at which recovery rests when R = 0"),
            Parameter("b", 0.2, "", (-5, 5), meaning="decay of recovery"),
            Parameter("c", 3.0, "", (0.1, 100), meaning="ratio of the two speeds, as its square"),
        ],
        outputs=["V", "R"],
        ready=ReadyExperiment({"V": -1.0, "R": 1.0}, 20.0, 0.05, {"V": 0.05, "R": 0.05}),
        source="R. FitzHugh, Biophysical Journal 1 (1961) 445-466; form and usual values: J. O. Ramsay, G. Hooker, "
        "D. Campbell and J. Cao, Journal of the Royal Statistical Society B 69 (2007) 741-796",
        notes=(
            "Elsewhere it is written v' = v - v^3/3 - w + I, w' = (v + a - b w)/tau: then tau = c^2, w = -R, a has the "
            "other sign, and time runs c times as fast.",
            "The paper of 2007 has noise of 0.5 on both; the example experiment has a tenth of it.",
        ),
        time_unit="",
    )
