"""What equations alone tell of their parameters: exact ranks, symmetries, determined combinations."""

from identikit.structure._analysis import structural as structural
from identikit.structure._linear_twins import LinearTwin as LinearTwin
from identikit.structure._linear_twins import linear_twins as linear_twins
from identikit.structure._sensitivity import InputKind as InputKind
from identikit.structure._sensitivity import StructuralQuestion as StructuralQuestion
from identikit.structure._settings import STRUCTURE as STRUCTURE
from identikit.structure._tape import NotAnalysableError as NotAnalysableError
