"""Which law of damping made a free decay, viscous, dry, drag or a mixture: all are fitted and ranked."""

from identikit.decay._by_method import LawsByMethod as LawsByMethod
from identikit.decay._by_method import LawsByShooting as LawsByShooting
from identikit.decay._evidence import criterion as criterion
from identikit.decay._judge import LawRanking as LawRanking
from identikit.decay._judge import OutsideLaw as OutsideLaw
from identikit.decay._judge import judge_laws as judge_laws
from identikit.decay._laws import DecayFits as DecayFits
from identikit.decay._laws import LawFit as LawFit
from identikit.decay._laws import LawStart as LawStart
from identikit.decay._laws import misfit_refusals as misfit_refusals
from identikit.decay._restoring_force import decay_curves as decay_curves
from identikit.decay._restoring_force import restoring_force as restoring_force
from identikit.decay._settings import RANKING as RANKING
from identikit.decay._words import imitation as imitation
from identikit.decay._words import sentences as sentences
from identikit.decay._words import unexplained_loss as unexplained_loss
