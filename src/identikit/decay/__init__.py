"""Free decays: which law of damping, viscous, dry, drag or a mixture, and how sure that is."""

from identikit.decay._by_method import LawsByMethod as LawsByMethod
from identikit.decay._by_method import LawsByShooting as LawsByShooting
from identikit.decay._evidence import criterion as criterion
from identikit.decay._judge import Judged as Judged
from identikit.decay._judge import judge_laws as judge_laws
from identikit.decay._laws import DecayFits as DecayFits
from identikit.decay._laws import LawFit as LawFit
from identikit.decay._mechanisms import MECHANISMS as MECHANISMS
from identikit.decay._mechanisms import DampedModel as DampedModel
from identikit.decay._mechanisms import damped_model as damped_model
from identikit.decay._oscillator import LADDER as LADDER
from identikit.decay._oscillator import OUTPUT as OUTPUT
from identikit.decay._oscillator import STIFFNESS as STIFFNESS
from identikit.decay._oscillator import first_values as first_values
from identikit.decay._oscillator import oscillator as oscillator
from identikit.decay._oscillator import oscillator_starts as oscillator_starts
from identikit.decay._words import sentences as sentences
