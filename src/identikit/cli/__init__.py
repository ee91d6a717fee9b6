"""The command line: parse, call a front door, show. No mathematics here.

numpy, sympy, jax, scipy and matplotlib are imported only inside the functions that run a command, so that
`--help` answers at once.
"""
