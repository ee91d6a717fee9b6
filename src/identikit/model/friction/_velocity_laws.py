"""Laws whose force follows from the velocity alone: dry, viscous, drag, Stribeck, and two without a jump."""

from __future__ import annotations

import sympy as sp


def coulomb(v: sp.Expr, f_c: sp.Expr) -> sp.Expr:
    """Dry friction: F = f_c sign(v), and anything between -f_c and f_c while v = 0.

    Sticks exactly: the body stays at v = 0 until the other forces exceed f_c.

    Not for lubricated joints, nor where breaking loose takes more force than sliding does: use stribeck.
    """
    return f_c * sp.sign(v)


def viscous(v: sp.Expr, c: sp.Expr) -> sp.Expr:
    """Viscous friction: F = c v.

    Linear, and never stops a motion in finite time. For a film of lubricant, eddy currents, slow air.

    Not for dry contacts: a decay that ends at a definite time is not viscous.
    """
    return c * v


def drag(v: sp.Expr, d: sp.Expr) -> sp.Expr:
    """Quadratic drag: F = d v |v|.

    For bodies in air or water at Reynolds numbers of some thousands and more.

    Not for slow motions, where the drag is viscous, nor alone for a body that comes to rest.
    """
    return d * v * sp.Abs(v)


def stribeck(v: sp.Expr, f_c: sp.Expr, f_s: sp.Expr, v_s: sp.Expr) -> sp.Expr:
    """Dry friction that is greatest at rest: F = sign(v) (f_c + (f_s - f_c) exp(-(v/v_s)^2)).

    f_s is the force that breaks the contact loose, f_c the force of fast sliding, v_s the velocity over which the one
    turns into the other. Sticks exactly: at v = 0 it holds up to f_s. Between 0 and v_s it falls with the
    velocity, which is what makes brakes squeal and slides move in jerks. Add viscous(v; c) for the rise at high speed.

    v_s is told only by samples taken while |v| < v_s; without them fix it. Not for motions below a micrometre or so,
    where contacts are springs: use dahl or lugre.
    """
    return sp.sign(v) * (f_c + (f_s - f_c) * sp.exp(-((v / v_s) ** 2)))


def brown_mcphee(
    v: sp.Expr, F_n: sp.Expr, mu_d: sp.Expr, mu_s: sp.Expr, mu_v: sp.Expr, v_t: sp.Expr, F_t: sp.Expr
) -> sp.Expr:
    """Stribeck's curve without a jump, with r = v/v_t:

        F = F_n (mu_d tanh(4 r) + (mu_s - mu_d) r/(r^2/4 + 3/4)^2) + mu_v v tanh(4 F_n/F_t)

    F_n is the normal force; the friction is greatest, F_n mu_s, at v = v_t; viscous friction acts once F_n is well
    above F_t. Smooth everywhere, for optimisation and real-time control.

    Does not stick: a load below F_n mu_s creeps. Equations are stiff if v_t is small. F_t has no effect, and cannot be
    identified, while F_n is above it.
    """
    return _continuous(v, F_n, mu_d, mu_s, mu_v, v_t, F_t, 2)


def wadi(v: sp.Expr, F_n: sp.Expr, mu_d: sp.Expr, mu_s: sp.Expr, mu_v: sp.Expr, v_t: sp.Expr, F_t: sp.Expr) -> sp.Expr:
    """The continuous law as the Furuta paper prints it, brown_mcphee with a square missing (r = v/v_t):

        F = F_n (mu_d tanh(4 r) + (mu_s - mu_d) r/(r^2/4 + 3/4)) + mu_v v tanh(4 F_n/F_t)

    The friction is therefore greatest not at v_t but near sqrt(3) v_t, there 15 % of (mu_s - mu_d) above mu_s, and
    falls to mu_d slowly, as 4 (mu_s - mu_d) v_t/v.

    Use it only to repeat that paper; for the law itself take brown_mcphee. Does not stick.
    """
    return _continuous(v, F_n, mu_d, mu_s, mu_v, v_t, F_t, 1)


def _continuous(
    v: sp.Expr,
    F_n: sp.Expr,
    mu_d: sp.Expr,
    mu_s: sp.Expr,
    mu_v: sp.Expr,
    v_t: sp.Expr,
    F_t: sp.Expr,
    power: int,
) -> sp.Expr:
    r = v / v_t
    peak = r / (r**2 / 4 + sp.Rational(3, 4)) ** power
    return F_n * mu_d * sp.tanh(4 * r) + F_n * (mu_s - mu_d) * peak + mu_v * v * sp.tanh(4 * F_n / F_t)
