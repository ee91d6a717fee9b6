"""Fits of a model to free decays, by their envelope and by the lifespans of their valleys."""
