"""Physics-informed networks: windows, the trajectory that networks write in them, its training."""

from identikit.method.network._training import Entry as Entry
from identikit.method.network._training import Loss as Loss
from identikit.method.network._training import training_artifacts as training_artifacts
from identikit.method.network._window_kernel import WindowShape as WindowShape
from identikit.method.network._window_kernel import observed_program as observed_program
