"""What a model does without data: rest states, wells, sections, portraits, exponents, energy."""

from identikit.explore._energy import EnergyBalance as EnergyBalance
from identikit.explore._energy import energy_balance as energy_balance
from identikit.explore._equilibria import Equilibrium as Equilibrium
from identikit.explore._equilibria import equilibria as equilibria
from identikit.explore._lyapunov import LyapunovExponent as LyapunovExponent
from identikit.explore._lyapunov import lyapunov_exponent as lyapunov_exponent
from identikit.explore._poincare import PoincareSection as PoincareSection
from identikit.explore._poincare import poincare_section as poincare_section
from identikit.explore._portrait import PhasePortrait as PhasePortrait
from identikit.explore._portrait import phase_portrait as phase_portrait
from identikit.explore._wells import PotentialWells as PotentialWells
from identikit.explore._wells import Well as Well
from identikit.explore._wells import potential_wells as potential_wells
