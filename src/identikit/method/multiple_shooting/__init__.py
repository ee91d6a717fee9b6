"""Multiple shooting as a method: where it starts, and whether its end is the only one."""

from identikit.method.multiple_shooting._search import search as search
from identikit.method.multiple_shooting._start import Start as Start
from identikit.method.multiple_shooting._start import starts as starts
