"""Laws with a memory: the contact is a spring that is strained, z, before it slides. z is a state of the model."""

from __future__ import annotations

import sympy as sp


def dahl(v: sp.Expr, z: sp.Expr, f_c: sp.Expr, sigma: sp.Expr) -> sp.Expr:
    """Dry friction whose contact is a spring: F = sigma z, z' = v (1 - (sigma/f_c) z sign(v)).

    Small motions see a spring of stiffness sigma, long ones dry friction f_c after a path of some f_c/sigma. A force
    over position makes a loop that does not depend on the speed.

    No force to break loose above f_c, no dependence on velocity: use lugre for these. A stiff contact makes stiff
    equations; where motions are long against f_c/sigma, coulomb says the same exactly and a hundred times faster.
    """
    return sigma * z


def dahl_rate(v: sp.Expr, z: sp.Expr, f_c: sp.Expr, sigma: sp.Expr) -> sp.Expr:
    """dz/dt of dahl."""
    return v - sigma * sp.Abs(v) * z / f_c


def lugre(
    v: sp.Expr,
    z: sp.Expr,
    f_c: sp.Expr,
    f_s: sp.Expr,
    v_s: sp.Expr,
    sigma_0: sp.Expr,
    sigma_1: sp.Expr,
    sigma_2: sp.Expr,
) -> sp.Expr:
    """Bristles that bend before they slide (Lund and Grenoble), with g(v) = f_c + (f_s - f_c) exp(-(v/v_s)^2):

        F = sigma_0 z + sigma_1 z' + sigma_2 v,        z' = v - sigma_0 |v| z/g(v)

    sigma_0 is the stiffness of the bristles, sigma_1 their damping, sigma_2 viscous friction. In steady sliding
    F = g(v) sign(v) + sigma_2 v, as stribeck with viscous. Adds presliding displacement, a force that lags behind the
    velocity, and a break-loose force that depends on how quickly the load rises.

    Passive for sigma_1 < 4 sigma_0 min(g)/v^2 only: with a constant sigma_1 fast motions may feed on it. sigma_0 and
    sigma_1 are told by motions of f_s/sigma_0 (micrometres), never by long slides; then fix them or use stribeck.
    Equations are stiff.
    """
    return sigma_0 * z + sigma_1 * lugre_rate(v, z, f_c, f_s, v_s, sigma_0, sigma_1, sigma_2) + sigma_2 * v


def lugre_rate(
    v: sp.Expr,
    z: sp.Expr,
    f_c: sp.Expr,
    f_s: sp.Expr,
    v_s: sp.Expr,
    sigma_0: sp.Expr,
    sigma_1: sp.Expr,
    sigma_2: sp.Expr,
) -> sp.Expr:
    """dz/dt of lugre."""
    return v - sigma_0 * sp.Abs(v) * z / (f_c + (f_s - f_c) * sp.exp(-((v / v_s) ** 2)))
