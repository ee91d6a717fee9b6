"""Four Chua circuits, coupled through resistors."""

from __future__ import annotations

from identikit.model._model import Model
from identikit.model._parameter import Parameter, ReadyExperiment

_CIRCUITS = (1, 2, 3, 4)  # their numbers in names of states
_RESISTORS = (1.599, 1.228, 0.917, 3.628)  # kohm
_STARTS = ((0.5, 0.1, -0.3), (-0.6, 0.2, 0.4), (0.3, -0.1, 0.8), (0.8, -0.2, -0.5))  # v1, v2, i of each circuit


def model() -> Model:
    """Four chaotic circuits, alike but for one resistor, with their first capacitors coupled all to all.

        C_1 v1_j' = (v2_j - v1_j)/R_j - f(v1_j) + sum_i (v1_i - v1_j)/R_C          j = 1 .. 4
        C_2 v2_j' = (v1_j - v2_j)/R_j + i_j
        L i_j'    = -v2_j - R_0 i_j
        f(v)      = G_b v + (G_a - G_b)/2 (|v + 1| - |v - 1|)

    v1_j and v2_j are the voltages over the two capacitors, i_j the current of the inductor into the second
    one, f the current into Chua's diode, whose slope is G_a within one volt and G_b outside. With volts, mA and ms the
    other units are kOhm, mS, uF and H.
    """
    states: dict[str, str] = {}
    equations: dict[str, str] = {}
    for j in _CIRCUITS:
        v1, v2, i = f"v1_{j}", f"v2_{j}", f"i_{j}"
        states |= {v1: "V", v2: "V", i: "mA"}
        diode = f"(G_b*{v1} + (G_a - G_b)/2*(abs({v1} + 1) - abs({v1} - 1)))"
        coupling = f"(v1_1 + v1_2 + v1_3 + v1_4 - 4*{v1})/R_C"
        equations |= {
            v1: f"(({v2} - {v1})/R_{j} - {diode} + {coupling})/C_1",
            v2: f"(({v1} - {v2})/R_{j} + {i})/C_2",
            i: f"-({v2} + R_0*{i})/L",
        }
    return Model.from_text(
        "coupled_chua",
        title="Four coupled Chua circuits, chaotic: 12 states, 11 parameters",
        states=states,
        equations=equations,
        parameters=[
            Parameter("G_a", -0.74, "mS", (-10, 0), meaning="slope of the diode's current within one volt"),
            Parameter("G_b", -0.41, "mS", (-10, 0), meaning="slope of the diode's current beyond one volt"),
            Parameter("C_1", 0.01, "uF", (1e-4, 1), meaning="capacitor beside the diode"),
            Parameter("C_2", 0.1, "uF", (1e-3, 10), meaning="capacitor beside the inductor"),
            Parameter("L", 0.01868, "H", (1e-4, 1), meaning="inductance"),
            Parameter("R_0", 0.019, "kohm", (0, 1), meaning="resistance of the inductor"),
            Parameter("R_C", 10.0, "kohm", (0.1, 1e3), meaning="resistor between any two circuits"),
            *(
                Parameter(
                    f"R_{j}", value, "kohm", (0.05, 50), meaning=f"resistor between the capacitors of circuit {j}"
                )
                for j, value in zip(_CIRCUITS, _RESISTORS, strict=True)
            ),
        ],
        outputs=list(states),
        ready=ReadyExperiment(
            {
                name: value
                for j, start in zip(_CIRCUITS, _STARTS, strict=True)
                for name, value in zip((f"v1_{j}", f"v2_{j}", f"i_{j}"), start, strict=True)
            },
            10.0,
            0.02,
            {name: {"v1": 0.1, "v2": 0.02, "i": 0.1}[name[:-2]] for name in states},
        ),
        source="Z. Liu, H. Fang, K.-W. Wang, J. Xu, A parameter identification method for continuous-time nonlinear "
        "systems and its realization on a Miura-origami structure, Mechanical Systems and Signal Processing (2018), "
        "equation 2 with the signs of the notes; the single circuit: T. Matsumoto, IEEE Transactions on Circuits and "
        "Systems 31 (1984) 1055-1058",
        notes=(
            "L > 0 and L i' = -(v2 + R_0 i): with the printed sign of R_0 solutions pass 1e6 near t = 9, and with "
            "L < 0 they diverge near t = 0.6.",
            "R_1 is 1.599: the 1.5590 in the paper's list of identified values is a misprint.",
            "With the currents measured all 11 parameters can be told; without them a common scale of all impedances "
            "should be lost.",
            "The units are ours: the paper's numbers are those of the usual circuit (10 nF, 100 nF, 18.68 mH) in "
            "kOhm, uF, H and ms.",
        ),
        time_unit="ms",
    )
