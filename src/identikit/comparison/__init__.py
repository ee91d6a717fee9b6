"""Methods on one problem, side by side: what each answers, which agree, which are off and why."""

from identikit.comparison._agreement import Difference as Difference
from identikit.comparison._agreement import compared as compared
from identikit.comparison._agreement import threshold as threshold
from identikit.comparison._answer import Answer as Answer
from identikit.comparison._answer import Task as Task
from identikit.comparison._answer import failed as failed
from identikit.comparison._settings import COMPARISON as COMPARISON
from identikit.comparison._verdict import Judgement as Judgement
from identikit.comparison._verdict import judged as judged
from identikit.comparison._workers import Rules as Rules
from identikit.comparison._workers import answers as answers
