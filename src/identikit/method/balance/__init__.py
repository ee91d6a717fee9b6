"""Balances of energy, and averaged solutions."""
