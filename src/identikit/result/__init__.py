"""Results: estimates, uncertainty, diagnostics, provenance, as a frozen record and as versioned JSON."""

from identikit.result._damping_report import DAMPING_SCHEMA as DAMPING_SCHEMA
from identikit.result._damping_report import Baseline as Baseline
from identikit.result._damping_report import DampingReport as DampingReport
from identikit.result._damping_report import LawParameter as LawParameter
from identikit.result._damping_report import LawResult as LawResult
from identikit.result._damping_report import MechanismResult as MechanismResult
from identikit.result._damping_text import percent as percent
from identikit.result._finding import Finding as Finding
from identikit.result._finding import FindingKind as FindingKind
from identikit.result._finding import Severity as Severity
from identikit.result._finding import finding as finding
from identikit.result._finding import register_finding as register_finding
from identikit.result._finding_kinds import KINDS as KINDS
from identikit.result._result import SCHEMA as SCHEMA
from identikit.result._result import Code as Code
from identikit.result._result import FitQuality as FitQuality
from identikit.result._result import NoiseFound as NoiseFound
from identikit.result._result import ParameterEstimate as ParameterEstimate
from identikit.result._result import Result as Result
from identikit.result._result import Status as Status
from identikit.result._text import align as align
from identikit.result._text import sentences as sentences
from identikit.result._text import table as table
