"""The energy paper."""

from identikit_published._base import Document

DOCUMENT = Document(
    "the energy paper",
    "B. P. Mann, F. A. Khasawneh, An energy-balance approach for oscillator parameter identification, J. Sound Vib. "
    "(2009).",
    __name__,
    {  # key: where its work is, where it stands in the document, what it shows
        "energy-figure-1": ("releases:figure_1", "Figure 1", "Velocity from cubic and from smoothing splines"),
        "energy-figure-3": (
            "releases:figure_3",
            "Figure 3",
            "Error against the angle of release, energy and averaging",
        ),
        "energy-table-1": ("magnetic:table_1", "Table 1", "Five parameters of the magnetic pendulum"),
        "energy-figure-4": ("magnetic:figure_4", "Figure 4", "Phase portraits with reference and estimated parameters"),
        "energy-figure-5": ("releases:figure_5", "Figure 5", "Two releases, measured (a stand-in) and modelled"),
        "energy-figure-6": ("magnetic:figure_6", "Figure 6", "Basins of attraction and potential wells"),
        "energy-table-2": ("duffing:table_2", "Table 2", "Four parameters of the chaotic Duffing oscillator"),
        "energy-figure-7": ("duffing:figure_7", "Figure 7", "Phase portraits of the chaotic Duffing oscillator"),
        "energy-figure-8": ("duffing:figure_8", "Figure 8", "Poincare sections of 10,000 periods"),
    },
)
