"""Linear system of any dimension, every entry of its matrix a parameter."""

from __future__ import annotations

from identikit.errors import ModelError
from identikit.model._model import Model
from identikit.model._parameter import Parameter, ReadyExperiment

MOST_STATES = 30  # 900 parameters


def model(dimension: int = 2) -> Model:
    """x' = A x with x = (x_1, ..., x_n), all of A unknown and all of x measured.

    Parameters are a_ij, row then column: a_12 is the effect of x_2 on x_1 (from ten states on a_1_2, to keep a_1_11
    and a_11_1 apart). `library_model("linear")` has two states, "linear3" has three, and so on. The usual values
    are a damped oscillation, a_ii = -0.1 i and a_ij = 2/(j - i).
    """
    if not 1 <= dimension <= MOST_STATES:
        raise ModelError(f"a linear system of {dimension} states: expected 1 to {MOST_STATES}, such as 'linear3'")
    numbers = range(1, dimension + 1)
    between = "_" if dimension > 9 else ""
    entry = {(i, j): f"a_{i}{between}{j}" for i in numbers for j in numbers}
    return Model.from_text(
        "linear" if dimension == 2 else f"linear{dimension}",
        title=f"Linear system x' = A x of {dimension} states, all of A unknown",
        equations={f"x_{i}": " + ".join(f"{entry[i, j]}*x_{j}" for j in numbers) for i in numbers},
        parameters=[
            Parameter(entry[i, j], _usual(i, j), "1/s", (-1e4, 1e4), meaning=f"effect of x_{j} on the rate of x_{i}")
            for i in numbers
            for j in numbers
        ],
        outputs=[f"x_{i}" for i in numbers],
        ready=ReadyExperiment(
            {f"x_{i}": 1.0 if i == 1 else 0.0 for i in numbers}, 10.0, 0.02, {f"x_{i}": 0.02 for i in numbers}
        ),
        source="The setting of G. Tsitsiashvili, A. Gudimenko, M. Osipova, Mathematics 11(12) (2023) 2643, "
        "doi 10.3390/math11122643: a constant matrix, all components observed",
        notes=(
            "One trajectory tells all of A if the eigenvalues differ and every mode is excited; real eigenvalues, "
            "which the paper asks for, are not needed.",
        ),
    )


def _usual(i: int, j: int) -> float:
    return -i / 10 if i == j else 2 / (j - i)
