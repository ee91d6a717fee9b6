"""What a user asks: one frozen record behind every front door."""

from identikit.question._question import Asked as Asked
from identikit.question._question import Columns as Columns
from identikit.question._question import Data as Data
from identikit.question._question import ModelLike as ModelLike
from identikit.question._question import Question as Question
from identikit.question._question import find_model as find_model
from identikit.question._question import text_of as text_of
from identikit.question._rules import Initial as Initial
