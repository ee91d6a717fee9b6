"""The Furuta paper's tables and figures, in simulation."""
