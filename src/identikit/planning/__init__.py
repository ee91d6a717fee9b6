"""What an experiment would tell, before it is made or from a record at hand."""

from identikit.planning._expected import Expected as Expected
from identikit.planning._expected import expected as expected
from identikit.planning._expected import expected_of_rows as expected_of_rows
from identikit.planning._plan import Plan as Plan
from identikit.planning._plan import Run as Run
from identikit.planning._plan import with_sensors as with_sensors
from identikit.planning._practical import practical as practical
from identikit.planning._present import PresentGiven as PresentGiven
from identikit.planning._present import present_plan as present_plan
from identikit.planning._variants import measured_variants as measured_variants
from identikit.planning._variants import planned_variants as planned_variants
from identikit.planning._weakest import WeakDirection as WeakDirection
from identikit.planning._weakest import weakest as weakest
