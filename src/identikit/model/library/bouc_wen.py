"""Bouc and Wen's oscillator with hysteresis."""

from __future__ import annotations

from identikit.model._model import Model
from identikit.model._parameter import Input, Parameter, ReadyExperiment


def model() -> Model:
    """A mass on a spring that remembers: an elastic part in parallel with a hysteretic one.

        m x'' + c x' + alpha k x + (1 - alpha) k z = u
        z' = A x' - beta |x'| |z|^(n-1) z - gamma x' |z|^n

    z is the hysteretic displacement (it cannot be measured), alpha the ratio of the stiffness after yielding to that
    before, n the sharpness of the yielding. z stays within (A/(beta + gamma))^(1/n). The loop takes energy for
    beta > 0 and -beta <= gamma <= beta. Without degradation or pinching.
    """
    size = "max(abs(z), 1e-12)"  # a floor, so that powers have derivatives at z = 0
    return Model.from_text(
        "bouc_wen",
        title="Bouc-Wen oscillator: hysteresis, driven by a force",
        states={"x": "m", "v": "m/s", "z": "m"},
        equations={
            "x": "v",
            "v": "(u - c*v - alpha*k*x - (1 - alpha)*k*z)/m",
            "z": f"A*v - beta*abs(v)*{size}**(n - 1)*z - gamma*v*{size}**n",
        },
        parameters=[
            Parameter("m", 1.0, "kg", (1e-6, 1e6), meaning="mass"),
            Parameter("c", 0.2, "N*s/m", (0, 1e6), meaning="viscous damping"),
            Parameter("k", 10.0, "N/m", (1e-3, 1e9), meaning="stiffness before yielding (for A = 1)"),
            Parameter("alpha", 0.3, "", (0, 1), meaning="stiffness after yielding over k"),
            Parameter("beta", 2.0, "1/m^n", (0, 1e6), meaning="shape of the loop: width"),
            Parameter("gamma", 1.0, "1/m^n", (-1e6, 1e6), meaning="shape of the loop: softening (> 0) or hardening"),
            Parameter("n", 1.0, "", (1, 20), fixed=True, meaning="sharpness of the yielding"),
            Parameter("A", 1.0, "", (1e-3, 1e3), fixed=True, meaning="scale of z, redundant"),
        ],
        inputs=[Input("u", "N", 0.0, "driving force, positive along x", hold="cubic")],
        outputs={"x": "x"},
        ready=ReadyExperiment(
            {"x": 0.0, "v": 0.0, "z": 0.0},
            30.0,
            0.05,
            {"x": 0.002},
            {"u": "4*sin(1.5*t) + 3*sin(2.6*t)"},
        ),
        source="R. Bouc (1967); Y. K. Wen, Journal of the Engineering Mechanics Division ASCE 102 (1976) 249-263",
        notes=(
            "The scale of m, c and k comes from u. k and alpha are strongly correlated; quote them together.",
            "A only scales z against k, beta and gamma: leave it fixed.",
            "Samples of u are joined by a spline: straight lines between 20 samples/s put m 12 standard errors off.",
            "The unit of beta and gamma is that of z to the power -n.",
            "z is not measured, so its start is estimated too, unless the record begins at rest.",
        ),
    )
