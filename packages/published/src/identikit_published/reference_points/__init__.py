"""The reference-point paper."""

from identikit_published._base import Document

DOCUMENT = Document(
    "the reference-point paper",
    "G. Tsitsiashvili, A. Gudimenko, M. Osipova, Mathematical and statistical aspects of estimating small oscillations "
    "parameters in a conservative mechanical system using inaccurate observations, Mathematics 11(12) (2023) 2643, "
    "doi 10.3390/math11122643.",
    __name__,
    {  # key: where its work is, where it stands in the document, what it shows
        "reference-points-experiment-1": (
            "experiments:experiment_1",
            "Experiment 1",
            "A 2 x 2 matrix from two reference points",
        ),
        "reference-points-experiment-2": (
            "experiments:experiment_2",
            "Experiment 2",
            "A 3 x 3 matrix from three reference points",
        ),
        "reference-points-experiment-3": (
            "experiments:experiment_3",
            "Experiment 3",
            "Two coupled pendulums: A, K, frequencies and amplitudes from four reference points",
        ),
        "reference-points-design": (
            "accuracy:design",
            "Abstract, sections 2 to 4",
            "Accuracy against the number of samples and the step between reference points",
        ),
    },
)
