"""Integration of models: adaptive, exact at switches, with sensitivities."""

from identikit.simulate._inputs import Pieces as Pieces
from identikit.simulate._inputs import sampled as sampled
from identikit.simulate._lanes import DEFAULT_TOLERANCE as DEFAULT_TOLERANCE
from identikit.simulate._lanes import Integrator as Integrator
from identikit.simulate._lanes import Trajectories as Trajectories
from identikit.simulate._simulate import SNR_KINDS as SNR_KINDS
from identikit.simulate._simulate import Solution as Solution
from identikit.simulate._simulate import initial_vector as initial_vector
from identikit.simulate._simulate import noise_deviation as noise_deviation
from identikit.simulate._simulate import parameter_vector as parameter_vector
from identikit.simulate._simulate import simulate as simulate
from identikit.simulate._simulate import synthesize as synthesize
from identikit.simulate._steps import stepped as stepped
