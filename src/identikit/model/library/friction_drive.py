"""A mass on a slide, driven by a known force against dry and viscous friction."""

from __future__ import annotations

from identikit.model._model import Model
from identikit.model._parameter import Input, Parameter, ReadyExperiment


def model() -> Model:
    """A carriage, motor or joint under a known force.

        m v' = u - c v - f sign(v) + offset,     x' = v

    u is the driving force along x, f the dry friction (it holds exactly while |u + offset| <= f), offset a constant
    force that nobody measured: a tilt, a cable, the zero of the force sensor. For a rotary drive read inertia, torque
    and angle. Without static friction above f, backlash or elasticity.
    """
    return Model.from_text(
        "friction_drive",
        title="Driven mass with viscous and dry friction and a constant force",
        states={"x": "m", "v": "m/s"},
        equations={"x": "v", "v": "(u - c*v - f*sign(v) + offset)/m"},
        parameters=[
            Parameter("m", 2.0, "kg", (1e-6, 1e6), meaning="moving mass"),
            Parameter("c", 1.0, "N*s/m", (0, 1e6), meaning="viscous friction"),
            Parameter("f", 1.5, "N", (0, 1e6), meaning="dry friction"),
            Parameter("offset", 0.3, "N", (-1e6, 1e6), meaning="constant force along x that u does not contain"),
        ],
        inputs=[Input("u", "N", 0.0, "driving force, positive along x", hold="cubic")],
        outputs={"x": "x"},
        ready=ReadyExperiment({"x": 0.0, "v": 0.0}, 20.0, 0.02, {"x": 0.002}, {"u": "4*sin(1.3*t) + 2.5*sin(3.1*t)"}),
        source="Newton's law with Coulomb's friction",
        notes=(
            "The drive must reverse the motion: in one direction f and offset cannot be told apart.",
            "The scale of all four comes from u: with its gain unknown only their ratios can be told.",
            "Samples of u are joined by a spline, as suits a measured force; for steps or a held command "
            "choose zero_order.",
        ),
    )
