"""Integration of models: adaptive, exact at switches, with sensitivities."""
