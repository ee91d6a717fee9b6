"""What is in a record, found without a model: its columns, its kind of motion, what to mind, what to do next."""

from identikit.survey._column import Surveyed as Surveyed
from identikit.survey._column import survey_column as survey_column
from identikit.survey._curves import curve_of as curve_of
from identikit.survey._motion import Moving as Moving
from identikit.survey._motion import motion_of as motion_of
from identikit.survey._remarks import remarks as remarks
from identikit.survey._settings import SURVEY as SURVEY
from identikit.survey._suggestions import is_input as is_input
from identikit.survey._suggestions import suggestions as suggestions
