"""LookReport: what is in a record, found without a model, as a frozen record and as versioned JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from identikit.measurement import Clipping, Clock, SpectralLine
from identikit.result._decoding import decoded
from identikit.result._document import Document, check_schema, read_document
from identikit.result._finding import Finding

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LOOK_SCHEMA = "identikit/look/1"


class ColumnRole(StrEnum):
    """What a column seems to be."""

    MEASURED = "measured"
    COMMAND = "command"
    RUNS = "runs"
    CONSTANT = "constant"
    EMPTY = "empty"
    REPEATED = "repeated"
    UNREADABLE = "unreadable"


class MotionKind(StrEnum):
    """What a record shows."""

    FREE_DECAY = "free_decay"
    DRIVEN = "driven"
    DRIVEN_THEN_FREE = "driven_then_free"
    STEADY = "steady"
    GROWING = "growing"
    TRANSIENT = "transient"
    REST = "rest"
    UNCLEAR = "unclear"


@dataclass(frozen=True)
class Motion:
    """The kind of motion, with what is known of it.

    Arguments:
        kind: see MotionKind.
        single: whether it is one oscillation; False: several, or an irregular motion.
        cycles: how many oscillations the record holds before it rests; 0 where there is none to count.
        period: of one oscillation, in the record's unit of time; None without one.
        free_from: time from which the motion is free, where that is not the beginning; None else.
        rest_from: time from which nothing moves above the noise; None if it moves to the end.
    """

    kind: MotionKind
    single: bool = True
    cycles: float = 0.0
    period: float | None = None
    free_from: float | None = None
    rest_from: float | None = None


@dataclass(frozen=True)
class NoiseSeen:
    """Noise of a column.

    Arguments:
        sigma: standard deviation, in the column's unit, the error of its resolution included.
        white: whether samples are uncorrelated; None where too few samples cannot tell.
        coefficient: from one sample to the next, of coloured noise; 0 for white noise, and for a colour that no such
            coefficient describes.
        correlation_time: in the record's unit of time; 0 for white noise.
        relative_std: standard error of ln sigma.
        by_resolution: whether the step of the sensor makes most of it.
    """

    sigma: float
    white: bool | None
    coefficient: float
    correlation_time: float
    relative_std: float
    by_resolution: bool


@dataclass(frozen=True)
class ColumnLook:
    """What one column holds.

    Arguments:
        role: what it seems to be.
        count, missing: cells with a value and without.
        low, high: smallest and largest value; NaN without any.
        noise: None where it is no measurement, or has too few samples.
        step: of its resolution, where that matters beside the noise or the motion; None else.
        outliers: how many samples are far off their neighbours; outlier_times: where, the first of them.
        lines: frequencies at which it oscillates, the strongest first.
        clipped: limits that it stays at; wraps: jumps by a whole turn.
        hold: samples for which it keeps its value; 1 where every sample is new.
        changes, levels: of a column made of steps.
        contiguous: of a column that numbers runs, whether they follow each other without a pause.
        first_known: time of its first value, where that is not the record's first; None else.
        note: why it cannot be read, or which column it repeats.
    """

    name: str
    unit: str
    role: ColumnRole
    count: int
    missing: int
    low: float
    high: float
    noise: NoiseSeen | None = None
    step: float | None = None
    outliers: int = 0
    outlier_times: tuple[float, ...] = ()
    lines: tuple[SpectralLine, ...] = ()
    clipped: tuple[Clipping, ...] = ()
    wraps: int = 0
    hold: int = 1
    changes: int = 0
    levels: int = 0
    contiguous: bool = False
    first_known: float | None = None
    note: str = ""


@dataclass(frozen=True)
class Suggestion:
    """What to do next: a front door with what it is told, and why.

    Arguments:
        door: "damping" or "fit".
        model: a library name; None = a model of your own (fit), or none (damping).
        outputs, inputs: {name in the model: column, or an expression of columns}; the name of the column again
            where the model is your own and its names are not known.
        segments: the column that numbers runs; trim: which times to use.
        command: what to type for it, where the command line asked; empty else.
    """

    door: str
    reason: str
    model: str | None = None
    outputs: Mapping[str, str] = field(default_factory=dict)
    inputs: Mapping[str, str] = field(default_factory=dict)
    segments: str | None = None
    trim: tuple[float | None, float | None] | None = None
    command: str = ""


@dataclass(frozen=True)
class LookReport(Document):
    """What is in a file or a record.

    Arguments:
        name: of the record that was looked at: the longest, if there are several.
        records: {name: number of samples} of all of them.
        samples, begin, end, time_unit, clock: of that record.
        motion: what it shows; columns: what each holds.
        suggestions: what to do next, the likeliest first.
        findings: what to mind.
        curves: {column: {"t", "low", "high", "spectrum", "residuals"}} for the picture, thinned.
    """

    name: str
    records: Mapping[str, int]
    samples: int
    begin: float
    end: float
    time_unit: str
    clock: Clock
    motion: Motion
    columns: tuple[ColumnLook, ...]
    suggestions: tuple[Suggestion, ...] = ()
    findings: tuple[Finding, ...] = ()
    curves: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def column(self, name: str) -> ColumnLook:
        """The column of this name."""
        return next(item for item in self.columns if item.name == name)

    def __str__(self) -> str:
        from identikit.result._look_text import describe_look

        return describe_look(self)

    def __repr__(self) -> str:
        names = ", ".join(item.name for item in self.columns)
        return f"<LookReport {self.name!r}: {self.motion.kind.value}, {self.samples} samples of {names}>"

    def plot(self, path: str | Path | None = None) -> Figure:
        """Draw the columns, their spectra and their noise; `path` (.png, .pdf or .svg) also writes it."""
        import identikit

        return identikit.plot(self, path)

    def as_dict(self) -> dict[str, Any]:
        """The JSON document as a dictionary."""
        plain = asdict(self)
        plain["findings"] = [item.as_dict() for item in self.findings]
        return {"schema": LOOK_SCHEMA, **plain}

    @classmethod
    def load(cls, path: str | Path) -> LookReport:
        """Read a saved report."""
        document = read_document(path, "report")
        check_schema(document, str(path), LOOK_SCHEMA, "look")
        return decoded(cls, document, str(path))
