"""Figures of the report, as printed: errors in per cent by method and case."""

from __future__ import annotations

TOPOLOGICAL = {"viscous": 77.6, "Coulomb": 31.0, "quadratic": 20.0}  # Tables 4, 10 and 12
SINDY = {"viscous": 0.15, "Coulomb": 2.2, "quadratic": 0.24}  # Tables 6 and 10
PINN = {"viscous": 0.15, "Coulomb": 0.41, "quadratic": 0.06}  # Tables 7 and 10
NEURAL_ODE = {"viscous": 0.11, "Coulomb": 0.04, "quadratic": 0.04}  # Tables 8 and 10
SYMBOLIC = {"viscous": 0.15, "Coulomb": 0.39, "quadratic": 0.07}  # Tables 9 and 10
OPTIMIZATION = {"viscous": 0.03, "Coulomb": 0.04, "quadratic": 0.03}  # Tables 10, 11 and 12
ESTIMATES = {  # of Tables 6 to 9 and 11: zeta, mu_c and mu_q of the three records
    "SINDy": {"zeta": 0.0501, "mu_c": 0.0293, "mu_q": 0.0501},
    "PINN": {"zeta": 0.0501, "mu_c": 0.0301, "mu_q": 0.0500},
    "neural ODE": {"zeta": 0.0501, "mu_c": 0.0300, "mu_q": 0.0500},
    "symbolic": {"zeta": 0.0501, "mu_c": 0.0301, "mu_q": 0.0500},
    "optimization": {"zeta": 0.0500, "mu_c": 0.0300, "mu_q": 0.0500},
}
COMBINED_SINDY = {"zeta": 0.026, "mu_c": 0.014, "mu_q": 0.024}  # Table 6, last row, whose error is "5-8 %"
EQUATION_21 = {"theta": -20.13, "v": -0.10, "cos(theta)": 0.97, "sin(theta)": 0.13, "theta^2": -0.006}
