"""What is neither data nor physics: least squares within bounds, information algebra, points within bounds."""

from identikit.numerics._gauss_newton import Minimum as Minimum
from identikit.numerics._gauss_newton import bounded_least_squares as bounded_least_squares
from identikit.numerics._gauss_newton import gauss_newton as gauss_newton
from identikit.numerics._gauss_newton import refine as refine
from identikit.numerics._gauss_newton import trust_region as trust_region
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
