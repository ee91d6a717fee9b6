"""What an experiment would tell, before it is made or from a record at hand."""

from identikit.planning._expected import Expected as Expected
from identikit.planning._expected import expected as expected
