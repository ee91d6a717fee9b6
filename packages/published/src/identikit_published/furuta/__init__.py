"""The Furuta paper."""

from identikit_published._base import Document

DOCUMENT = Document(
    "the Furuta paper",
    "A. Wadi, S. Mukhopadhyay, L. Romdhane, Identifying friction in a nonlinear chaotic system using a universal "
    "adaptive stabilizer, IEEE Access (2022), doi 10.1109/ACCESS.2022.3165081.",
    __name__,
    {  # key: where its work is, where it stands in the document, what it shows
        "furuta-table-3": ("estimates:table_3", "Table 3", "Ten friction parameters from the simulation"),
        "furuta-figures-4-5": (
            "tracking:figures_4_5",
            "Figures 4 and 5",
            "The observer's tracking and the trajectories of its parameters, simulation",
        ),
        "furuta-figures-6-7": (
            "validation:figures_6_7",
            "Figures 6 and 7",
            "Validation of the estimates and their frequency portrait, simulation",
        ),
        "furuta-table-4": ("estimates:table_4", "Table 4", "Ten friction parameters from the experiment (a stand-in)"),
        "furuta-figures-8-9": (
            "tracking:figures_8_9",
            "Figures 8 and 9",
            "The observer's tracking and the trajectories of its parameters, experiment (a stand-in)",
        ),
        "furuta-figures-10-11": (
            "validation:figures_10_11",
            "Figures 10 and 11",
            "Validation of the estimates and their frequency portrait, experiment (a stand-in)",
        ),
        "furuta-table-5": (
            "performance:table_5",
            "Table 5 and Figure 12",
            "Goodness of fit and computing time of all methods",
        ),
    },
)
