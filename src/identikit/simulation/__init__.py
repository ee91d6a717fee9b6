"""Integration of models: adaptive, exact at switches, with sensitivities."""

from identikit.simulation._backend import jax as jax
from identikit.simulation._compilation import compiled as compiled
from identikit.simulation._field import Drive as Drive
from identikit.simulation._field import Field as Field
from identikit.simulation._inputs import Pieces as Pieces
from identikit.simulation._inputs import sampled as sampled
from identikit.simulation._kernel_store import KernelStore as KernelStore
from identikit.simulation._kernel_store import StoreSize as StoreSize
from identikit.simulation._kernel_store import cache_folder as cache_folder
from identikit.simulation._kernel_store import kernel_store as kernel_store
from identikit.simulation._keyed import program_text as program_text
from identikit.simulation._lanes import DEFAULT_TOLERANCE as DEFAULT_TOLERANCE
from identikit.simulation._lanes import Integrator as Integrator
from identikit.simulation._lanes import Trajectories as Trajectories
from identikit.simulation._short_steps import ShortSteps as ShortSteps
from identikit.simulation._short_steps import settled as settled
from identikit.simulation._short_steps import short_step as short_step
from identikit.simulation._simulate import SNR_KINDS as SNR_KINDS
from identikit.simulation._simulate import Solution as Solution
from identikit.simulation._simulate import initial_vector as initial_vector
from identikit.simulation._simulate import noise_deviation as noise_deviation
from identikit.simulation._simulate import parameter_vector as parameter_vector
from identikit.simulation._simulate import simulate as simulate
from identikit.simulation._simulate import synthesize as synthesize
from identikit.simulation._steps import stepped as stepped
from identikit.simulation._warming import warm_kernels as warm_kernels
