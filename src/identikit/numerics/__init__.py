"""What is neither data nor physics: least squares within bounds, information algebra, robust scales, points within
bounds, noise that remembers; each once."""

from identikit.numerics._autoregression import Autoregression as Autoregression
from identikit.numerics._bounded_least_squares import ResidualFunction as ResidualFunction
from identikit.numerics._bounded_least_squares import bounded_least_squares as bounded_least_squares
from identikit.numerics._gauss_newton import FROM_AFAR as FROM_AFAR
from identikit.numerics._gauss_newton import Descent as Descent
from identikit.numerics._gauss_newton import Minimum as Minimum
from identikit.numerics._gauss_newton import gauss_newton as gauss_newton
from identikit.numerics._information import FLOOR as FLOOR
from identikit.numerics._information import Information as Information
from identikit.numerics._information import block_sums as block_sums
from identikit.numerics._information import column_sizes as column_sizes
from identikit.numerics._information import long_run as long_run
from identikit.numerics._information import pseudo_inverse as pseudo_inverse
from identikit.numerics._information import sandwich as sandwich
from identikit.numerics._information import standard_errors as standard_errors
from identikit.numerics._information import symmetric_inverse as symmetric_inverse
from identikit.numerics._information import whitening as whitening
from identikit.numerics._inside_bounds import between as between
from identikit.numerics._inside_bounds import evenly as evenly
from identikit.numerics._inside_bounds import middle as middle
from identikit.numerics._nonnegative_least_squares import nonnegative_least_squares as nonnegative_least_squares
from identikit.numerics._robust import finite_median as finite_median
from identikit.numerics._robust import robust_std as robust_std
from identikit.numerics._search import search as search
from identikit.numerics._trust_region import trust_region as trust_region
