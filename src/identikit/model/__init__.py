"""Models as symbolic mathematics: parameters, equations, the parser, and what is derived from them."""

from identikit.model._dynamics import Dynamics as Dynamics
from identikit.model._dynamics import Linearisation as Linearisation
from identikit.model._dynamics import dynamics_of as dynamics_of
from identikit.model._extremum import EXTREMA as EXTREMA
from identikit.model._file import load_model as load_model
from identikit.model._file import model_from_document as model_from_document
from identikit.model._model import Model as Model
from identikit.model._model import Output as Output
from identikit.model._observation import Observation as Observation
from identikit.model._observation import observe as observe
from identikit.model._parameter import HOLDS as HOLDS
from identikit.model._parameter import Input as Input
from identikit.model._parameter import Parameter as Parameter
from identikit.model._parameter import ReadyExperiment as ReadyExperiment
from identikit.model._parameter import State as State
from identikit.model._parser import TIME as TIME
from identikit.model._parser import parse as parse
from identikit.model._parser import symbol as symbol
from identikit.model._program import Program as Program
from identikit.model._second_order import degrees_of_freedom as degrees_of_freedom
from identikit.model._second_order import work_along as work_along
from identikit.model._structure import is_affine as is_affine
from identikit.model._structure import jointly_affine as jointly_affine
from identikit.model._structure import size as size
from identikit.model.library import LIBRARY_NAMES as LIBRARY_NAMES
from identikit.model.library import library_model as library_model
