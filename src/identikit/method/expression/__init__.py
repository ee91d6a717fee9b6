"""Formulas from data: expressions searched by genetic programming, shapes with inner constants, their comparison."""

from identikit.method.expression._curve_formulas import Formula as Formula
from identikit.method.expression._curve_formulas import curve_formulas as curve_formulas
