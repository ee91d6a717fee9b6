"""The Galerkin weak form with errors in variables."""
