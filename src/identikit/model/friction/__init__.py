"""Friction laws that any model text may call by name. A new one is a function and a row here.

From outside: `identikit.model.FRICTION_LAWS["name"] = FrictionLaw(...)`, before the model is read.
"""

from __future__ import annotations

from identikit.model._parameter import Parameter
from identikit.model.friction import _deflection_laws as with_deflection
from identikit.model.friction import _velocity_laws as of_velocity
from identikit.model.friction._law import FrictionLaw as FrictionLaw

_POSITIVE = (0.0, float("inf"))


def _parameter(name: str, value: float, unit: str, meaning: str) -> Parameter:
    return Parameter(name, value, unit, _POSITIVE, meaning=meaning)


_SLIDING = _parameter("f_c", 1.0, "N", "friction of fast sliding")
_BREAKING = _parameter("f_s", 1.5, "N", "friction that has to be overcome to break loose")
_STRIBECK = _parameter("v_s", 0.1, "m/s", "velocity over which f_s falls to f_c")
_CONTINUOUS = (
    _parameter("F_n", 1.0, "N", "normal force"),
    _parameter("mu_d", 1.0, "", "coefficient of dynamic friction"),
    _parameter("mu_s", 1.5, "", "coefficient of static friction"),
    _parameter("mu_v", 0.3, "N*s/m", "viscous friction"),
    _parameter("v_t", 0.1, "m/s", "transition velocity"),
    _parameter("F_t", 0.1, "N", "normal force above which viscous friction acts"),
)

_ROWS = (
    FrictionLaw(
        "dry friction",
        (_SLIDING,),
        of_velocity.coulomb,
        "C. A. Coulomb, Théorie des machines simples, 1785",
        scale=1.0,
    ),
    FrictionLaw(
        "friction proportional to the velocity",
        (_parameter("c", 1.0, "N*s/m", "viscous friction"),),
        of_velocity.viscous,
        "O. Reynolds, Phil. Trans. R. Soc. 177 (1886) 157-234",
        scale=1.0,
    ),
    FrictionLaw(
        "drag proportional to the square of the velocity",
        (_parameter("d", 1.0, "N*s^2/m^2", "drag: density times area times drag coefficient over 2"),),
        of_velocity.drag,
        "I. Newton, Principia, book II, 1687",
        scale=1.0,
    ),
    FrictionLaw(
        "dry friction that is greatest at rest",
        (_SLIDING, _BREAKING, _STRIBECK),
        of_velocity.stribeck,
        "R. Stribeck, VDI-Zeitschrift 46 (1902) 1341; form of L. C. Bo and D. Pavelescu, Wear 82 (1982) 277-289",
        scale=0.5,
    ),
    FrictionLaw(
        "Stribeck's curve without a jump",
        _CONTINUOUS,
        of_velocity.brown_mcphee,
        "P. Brown and J. McPhee, J. Comput. Nonlinear Dyn. 11 (2016) 054502",
        scale=0.5,
    ),
    FrictionLaw(
        "the continuous law as printed in the Furuta paper",
        _CONTINUOUS,
        of_velocity.wadi,
        "A. Wadi, S. Mukhopadhyay, L. Romdhane, IEEE Access (2022), doi 10.1109/ACCESS.2022.3165081, equation 5",
        scale=0.5,
    ),
    FrictionLaw(
        "dry friction of an elastic contact",
        (_SLIDING, _parameter("sigma", 100.0, "N/m", "stiffness of the contact")),
        with_deflection.dahl,
        "P. R. Dahl, A solid friction model, Aerospace Corporation TOR-0158(3107-18)-1, 1968",
        scale=0.5,
        deflection_rate=with_deflection.dahl_rate,
    ),
    FrictionLaw(
        "elastic bristles with Stribeck's curve",
        (
            _SLIDING,
            _BREAKING,
            _STRIBECK,
            _parameter("sigma_0", 100.0, "N/m", "stiffness of the bristles"),
            _parameter("sigma_1", 1.0, "N*s/m", "damping of the bristles"),
            _parameter("sigma_2", 0.3, "N*s/m", "viscous friction"),
        ),
        with_deflection.lugre,
        "C. Canudas de Wit, H. Olsson, K. J. Åström, P. Lischinsky, IEEE Trans. Autom. Control 40 (1995) 419-425",
        scale=0.5,
        deflection_rate=with_deflection.lugre_rate,
    ),
)

FRICTION_LAWS: dict[str, FrictionLaw] = {law.name: law for law in _ROWS}
