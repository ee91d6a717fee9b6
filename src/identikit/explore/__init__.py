"""What a model does without data: rest states, wells, basins, sections, portraits, exponents, energy."""

from identikit.explore._basins import Basins as Basins
from identikit.explore._basins import Boundary as Boundary
from identikit.explore._basins import basins as basins
from identikit.explore._energy import EnergyBalance as EnergyBalance
from identikit.explore._energy import energy_balance as energy_balance
from identikit.explore._equilibria import Equilibrium as Equilibrium
from identikit.explore._equilibria import equilibria as equilibria
from identikit.explore._examine import VIEWS as VIEWS
from identikit.explore._examine import Finding as Finding
from identikit.explore._examine import examine as examine
from identikit.explore._lyapunov import LyapunovExponent as LyapunovExponent
from identikit.explore._lyapunov import lyapunov_exponent as lyapunov_exponent
from identikit.explore._poincare import PoincareSection as PoincareSection
from identikit.explore._poincare import poincare_section as poincare_section
from identikit.explore._portrait import PhasePortrait as PhasePortrait
from identikit.explore._portrait import phase_portrait as phase_portrait
from identikit.explore._resting_places import ESCAPED as ESCAPED
from identikit.explore._settling import UNDECIDED as UNDECIDED
from identikit.explore._subject import Subject as Subject
from identikit.explore._text import MOST_PLACES as MOST_PLACES
from identikit.explore._text import distinct_points as distinct_points
from identikit.explore._text import energy_unit as energy_unit
from identikit.explore._text import letter as letter
from identikit.explore._wells import PotentialWells as PotentialWells
from identikit.explore._wells import Well as Well
from identikit.explore._wells import potential_wells as potential_wells
