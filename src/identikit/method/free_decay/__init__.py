"""Fits of a model to free decays, by their envelope and by the lifespans of their valleys."""

from identikit.method.free_decay._printed_formulas import printed_estimate as printed_estimate
