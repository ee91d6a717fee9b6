"""Regression on the filtered equations, and what it is made of."""
