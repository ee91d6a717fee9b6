"""The reference-point paper's three computational experiments."""
