"""The energy paper's tables and figures."""
