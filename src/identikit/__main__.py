"""`python -m identikit` is the command `identikit`."""

import sys

from identikit.cli.main import main

sys.exit(main())
