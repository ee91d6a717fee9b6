"""The Galerkin paper's tables and figures."""
