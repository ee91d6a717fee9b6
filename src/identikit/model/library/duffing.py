"""Duffing oscillator, free or forced."""

from __future__ import annotations

from identikit.model._model import Model
from identikit.model._parameter import Parameter, ReadyExperiment


def model() -> Model:
    """m x'' + c x' + k x + k3 x^3 = F cos(Omega t).

    Without forcing only c/m, k/m and k3/m can be found, so m is fixed unless freed. Chaotic at
    m 1, c 0.2, k 1, k3 1, F 27, Omega 1.33.
    """
    return Model.from_text(
        "duffing",
        title="Duffing oscillator with cubic stiffness, free or harmonically forced",
        states={"x": "m", "v": "m/s"},
        equations={"x": "v", "v": "(-c*v - k*x - k3*x**3 + F*cos(Omega*t))/m"},
        parameters=[
            Parameter("m", 1.0, "kg", (1e-6, 1e6), fixed=True, meaning="mass"),
            Parameter("c", 0.1, "N*s/m", (0, 1e6), meaning="viscous damping"),
            Parameter("k", 1.0, "N/m", (-1e6, 1e6), meaning="linear stiffness"),
            Parameter("k3", 0.5, "N/m^3", (-1e6, 1e6), meaning="cubic stiffness"),
            Parameter("F", 0.0, "N", (-1e6, 1e6), fixed=True, meaning="amplitude of the forcing"),
            Parameter("Omega", 1.33, "rad/s", (0, 1e6), fixed=True, meaning="frequency of the forcing"),
        ],
        outputs={"x": "x"},
        ready=ReadyExperiment({"x": 2.0, "v": 0.0}, 30.0, 0.05, {"x": 0.05}),
        source="G. Duffing (1918); the forced case as in B. P. Mann, F. A. Khasawneh, An energy-balance approach for "
        "oscillator parameter identification, J. Sound and Vibration (2009), equation 1",
    )
