"""The Galerkin paper."""

from identikit_published._base import Document

DOCUMENT = Document(
    "the Galerkin paper",
    "Z. Liu, H. Fang, K.-W. Wang, J. Xu, A parameter identification method for continuous-time nonlinear systems and "
    "its realization on a Miura-origami structure, Mech. Syst. Signal Process. (2018).",
    __name__,
    {  # key: where its work is, where it stands in the document, what it shows
        "galerkin-table-1": ("circuits:table_1", "Table 1", "Eleven parameters of four coupled Chua circuits at 30 dB"),
        "galerkin-table-2": (
            "reactor:table_2",
            "Table 2",
            "Three parameters of a tank reactor driven by steps, at 40 dB",
        ),
        "galerkin-table-4": (
            "origami:table_4",
            "Tables 3 and 4",
            "Five parameters of a stacked Miura-ori shaken into chaos, from a simulated stand-in",
        ),
        "galerkin-figure-1": ("circuits:figure_1", "Figure 1 (b)", "Current of the diode over its voltage"),
        "galerkin-figure-3": ("procedure:figure_3", "Figure 3", "Cubic B-splines and their slope"),
        "galerkin-figure-4": (
            "circuits:figure_4",
            "Figure 4",
            "Coupled Chua circuits: every parameter step by step, and the error from 90 to 10 dB",
        ),
        "galerkin-figure-5": ("reactor:figure_5", "Figure 5", "Tank reactor: inputs, noisy outputs, convergence"),
        "galerkin-figure-7": ("origami:figure_7", "Figure 7", "Shaken origami: time histories and spectra at 6.6 Hz"),
        "galerkin-figure-8": ("origami:figure_8", "Figure 8", "Origami: convergence, and the force curves identified"),
        "galerkin-figure-9": (
            "origami:figure_9",
            "Figure 9",
            "Origami: simulated against measured, and the base's acceleration",
        ),
        "galerkin-figure-10": (
            "origami:figure_10",
            "Figure 10",
            "Origami: restoring force against the identified curve",
        ),
    },
)
