"""Question: what a user asks, as one frozen record.

Keywords, command-line arguments, TOML and JSON all become the same record, checked once. Every front door takes it and
every result holds it, so that a saved fit can be repeated, or its model applied to other data. What the names in it
mean for a particular model and record is checked where these meet, by `Problem.pose`.
"""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Protocol, TypedDict, Unpack

from identikit.errors import DataError, ModelError, OptionError, did_you_mean, did_you_mean_file
from identikit.measurement import Experiment, Record, load, trim
from identikit.model import Model, library_model, load_model, model_from_toml
from identikit.problem import NoiseGiven, Problem
from identikit.question._rules import CLOCKS, MAPPINGS, READING, RULES, Initial
from identikit.result import SCHEMA, Document, Result

IN_MEMORY = "in_memory"  # of a saved question: names of records that were never in a file


class Table(Protocol):
    """A DataFrame, of whatever library."""

    @property
    def columns(self) -> Any: ...


Arrays = Mapping[str, Any]  # values by name, one of them the time
Data = str | PathLike[str] | Sequence[str | PathLike[str]] | Record | Sequence[Record] | Experiment | Table | Arrays
ModelLike = str | PathLike[str] | Model | Result


class Columns(TypedDict, total=False):
    """How data are read: which column is what."""

    time: str | None
    segments: str | None
    units: Mapping[str, str] | None
    columns: Sequence[str] | None
    rate: float | None
    dt: float | None
    sheet: str | Sequence[str] | None
    decimal: str | None
    long: tuple[str, str] | None
    trim: tuple[float | None, float | None] | None
    outputs: Mapping[str, str] | None
    inputs: Mapping[str, str] | None
    hold: str | None
    unwrap: bool | None
    before: Mapping[str, float] | None
    gaps: str | None


class Asked(Columns, total=False):
    """The keywords that front doors take besides data and model; `Question` says what each means."""

    free: Sequence[str] | None
    fix: Mapping[str, float] | None
    start: Mapping[str, float] | None
    bounds: Mapping[str, tuple[float, float]] | None
    priors: Mapping[str, tuple[float, float]] | None
    initial: Initial | None
    noise: str | Mapping[str, NoiseGiven] | None
    method: str
    options: Mapping[str, Any] | None
    uncertainty: str
    uncertainty_options: Mapping[str, Any] | None
    seed: int
    smooth_friction: float | None


@dataclass(frozen=True)
class Question(Document):
    """What is asked.

    Arguments:
        data: files, a Record, several, an Experiment, a DataFrame or arrays by name; saved by name, or by digest if in
            memory.
        model: a Model, a library name such as "pendulum", a TOML file, or a Result, whose model is meant.
        time, segments, units, columns, rate, dt, sheet, decimal, long: as in `identikit.load`, for files and tables.
        trim: (begin, end): use only these times, in the record's own unit (seconds from the start for dates); None = an
            open end.
        outputs: {output: column, or expression of columns such as "pos1 - pi"}.
        inputs: {input: column, or expression of columns such as "35.15*u_V", or of t}.
        hold: how sampled inputs are interpolated between samples: "linear", "zero_order" or "cubic"; None = as the
            model says, unless the record shows otherwise.
        before: {input: its value before its first sample}, in the model's unit; None = not known.
        gaps: how inputs went on where samples are missing: "hold" the last value, or "linear"; None = not known.
        unwrap: join angles that jump by a full turn.
        free, fix, start, bounds: parameters to estimate, known values, starting values, bounds.
        priors: {parameter: (mean, standard deviation)}.
        initial: {state: known value, or an expression of parameters, or (low, high), or {"value", "std", "bounds"}};
            a list of these gives one for each record; "example" takes those of the model's example experiment.
        noise: a kind for all outputs, "auto", "white", "ar", "student" or "lognormal"; or {output: kind, known standard
            deviation, column with that of every sample, or {"kind", "level", "column"}}; "*" is every other output;
            {"omega'": intensity or "auto"} is process noise on the rate of a state, for method kalman.
        method, options: a name from `identikit methods`, and the method's own options.
        uncertainty, uncertainty_options: where intervals come from: "auto", the method's own, or "fisher", ..., and the
            options of that kind (docs/uncertainty.md).
        seed: for whatever is random.
        smooth_friction: width w; sign(v) becomes tanh(v/w), to compare with work that smoothed friction.
    """

    model: Any = None
    data: Any = None
    time: str | None = None
    segments: str | None = None
    units: Mapping[str, str] = field(default_factory=dict)
    columns: tuple[str, ...] | None = None
    rate: float | None = None
    dt: float | None = None
    sheet: tuple[str, ...] | None = None
    decimal: str | None = None
    long: tuple[str, str] | None = None
    trim: tuple[float | None, float | None] | None = None
    outputs: Mapping[str, str] = field(default_factory=dict)
    inputs: Mapping[str, str] = field(default_factory=dict)
    hold: str | None = None
    unwrap: bool = True
    before: Mapping[str, float] = field(default_factory=dict)
    gaps: str | None = None
    free: tuple[str, ...] | None = None
    fix: Mapping[str, float] = field(default_factory=dict)
    start: Mapping[str, float] = field(default_factory=dict)
    bounds: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    priors: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    initial: Initial | None = None
    noise: Mapping[str, NoiseGiven] = field(default_factory=dict)
    method: str = "auto"
    options: Mapping[str, Any] = field(default_factory=dict)
    uncertainty: str = "auto"
    uncertainty_options: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    smooth_friction: float | None = None

    def __post_init__(self) -> None:
        if isinstance(self.model, Result):
            object.__setattr__(self, "model", find_model(self.model))
        for name, rule in RULES.items():
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, rule(value, name))
            elif name in MAPPINGS:
                object.__setattr__(self, name, {})

    @classmethod
    def ask(cls, data: Data | Question, model: ModelLike | None = None, **asked: Unpack[Asked]) -> Question:
        """The question of a front door: either asked in keywords, or given as it is, with keywords that change it."""
        given: dict[str, Any] = dict(asked)
        if isinstance(data, Question):
            return data.changed(**(given if model is None else {"model": model, **given}))
        return cls.from_dict({"data": data, "model": model, **given}, "the question")

    @classmethod
    def from_dict(cls, document: Mapping[str, Any], where: str = "question") -> Question:
        """Make a question from its fields by name, as `as_dict` gives them."""
        known = [item.name for item in fields(cls)]
        if not isinstance(document, Mapping):
            raise OptionError(f"{where}: expected names with values, got {document!r}")
        for key in document:
            if key not in known:
                raise OptionError(f"{where} has no '{key}'.{did_you_mean(str(key), known)}")
        return cls(**{key: value for key, value in document.items() if value is not None})

    @classmethod
    def load(cls, path: str | Path) -> Question:
        """Read a question from a .toml or .json file; a saved result gives the question it answered."""
        file = Path(path)
        try:
            text = file.read_text(encoding="utf-8")
            document = tomllib.loads(text) if file.suffix.lower() == ".toml" else json.loads(text)
        except FileNotFoundError:
            raise DataError(f"{path}: no such file.{did_you_mean_file(file)}") from None
        except (OSError, ValueError, RecursionError) as error:
            where = f": {error}" if file.suffix.lower() == ".toml" else ""  # of other files, what a decoder met first
            raise DataError(
                f"{path} is neither a question (.toml) nor a saved result (JSON){where}", remedy="save_first"
            ) from None
        if isinstance(document, Mapping) and document.get("schema") == SCHEMA:
            return cls.of(Result.from_dict(document, str(path)))
        return cls.from_dict(document, str(path))

    @classmethod
    def of(cls, result: Result) -> Question:
        """The question that a result answered, with the model as it was then."""
        if result.question is None:
            raise DataError(
                "the result does not hold its question, as those of identikit.fit do since version 0.2: fit once more"
            )
        question = cls.from_dict(result.question, "the result's question")
        return question if result.model_text is None else replace(question, model=model_from_toml(result.model_text))

    def changed(self, **given: Any) -> Question:
        """The same question but for what is given.

        None changes nothing; an empty time or segments takes it back; of time, rate and dt the new one counts. Entries
        of {name: value} are added one by one. What is newly fixed is no longer free, what is newly freed no longer
        fixed; another method, or kind of uncertainty, drops its options.
        """
        made = Question.from_dict(given, "the question")
        new: dict[str, Any] = {name: getattr(made, name) for name in given if given[name] is not None}
        if not CLOCKS.isdisjoint(new):
            new = {**dict.fromkeys(CLOCKS), **new}
        fixed, freed = new.get("fix", {}), new.get("free", ())
        if not freed and self.free is not None:
            new["free"] = tuple(name for name in self.free if name not in fixed)
        free = new.get("free")
        for name in MAPPINGS:
            kept = getattr(self, name)
            if name == "fix":
                kept = {key: value for key, value in kept.items() if key not in freed}
            if name in ("start", "bounds", "priors"):
                kept = {key: v for key, v in kept.items() if key not in fixed and (free is None or key in free)}
            owner = {"options": "method", "uncertainty_options": "uncertainty"}.get(name)
            if owner and new.get(owner, getattr(self, owner)) != getattr(self, owner):
                kept = {}
            new[name] = {**kept, **new.get(name, {})}
        return replace(self, **new)

    def as_dict(self, digest: str | None = None) -> dict[str, Any]:
        """What is asked beyond the defaults, ready for JSON: open bounds are null, what is in memory has a digest.

        The `digest` of the data may be given where it is known, since making it takes time.
        """
        usual = Question()
        names = [item.name for item in fields(self) if item.name not in ("model", "data")]
        said = {name: getattr(self, name) for name in names if getattr(self, name) != getattr(usual, name)}
        return {"model": self._model_saved(), "data": self._data_saved(digest), **_plain(said)}

    def _model_saved(self) -> Any:
        if not isinstance(self.model, Model):
            return self.model
        return text_of(self.model) or {"function": self.model.name}

    def _data_saved(self, digest: str | None) -> Any:
        if self.data is None or isinstance(self.data, tuple) or _is_digest(self.data):
            return _plain(self.data)
        experiment = self.experiment()
        return {IN_MEMORY: [record.name for record in experiment], "sha256": digest or experiment.digest()}

    def asked_model(self) -> Model:
        """The model, with friction smoothed if that is asked."""
        model = find_model(self.model)
        return model if self.smooth_friction is None else model.with_smooth_friction(self.smooth_friction)

    def input_expressions(self, model: Model) -> dict[str, str]:
        """The inputs that are expressions of time rather than columns."""
        found = {}
        for name, text in self.inputs.items():
            if text.isidentifier() and text not in ("t", "pi"):
                continue
            try:
                model.with_input_expressions({name: text})
            except ModelError:
                continue
            found[name] = text
        return found

    def experiment(self) -> Experiment:
        """The records, loaded and trimmed."""
        if self.data is None:
            raise OptionError("no data are given: name a file, or pass a Record, an Experiment or a DataFrame")
        if _is_digest(self.data):
            names = ", ".join(map(str, self.data[IN_MEMORY]))
            raise DataError(f"the data of that question were in memory ({names}) and are not saved: give them again")
        if isinstance(self.data, Experiment):
            found = self.data
        else:
            files = list(self.data) if isinstance(self.data, tuple) else self.data
            found = load(files, **{name: getattr(self, name) for name in READING})
        if self.trim is None or self.trim == (None, None):
            return found
        return Experiment(tuple(trim(record, *self.trim) for record in found))

    def problem(self) -> Problem:
        """The problem that is posed: model and data, checked against each other."""
        model = self.asked_model()
        return Problem.pose(model, self.experiment(), **self.posing())

    def posing(self) -> dict[str, Any]:
        """What `Problem.pose` is told besides model and data."""
        parameters = ("free", "fix", "start", "bounds", "priors")
        columns = ("outputs", "inputs", "hold", "before", "gaps", "unwrap", "initial", "noise")
        return {name: getattr(self, name) for name in (*parameters, *columns)}


def find_model(model: ModelLike | Mapping[str, str] | None) -> Model:
    """A model given as itself, by library name, as a TOML file or its text, or as a result that holds it."""
    if isinstance(model, Model):
        return model
    if model is None:
        raise OptionError("no model is given: name one of the library, a .toml file, or pass a Model")
    if isinstance(model, Mapping):
        raise ModelError(f"the model '{model.get('function')}' was a Python function: give it again")
    if isinstance(model, Result):
        return Question.of(model).asked_model()
    text = fspath(model)
    if "\n" in text:
        return model_from_toml(text)
    return load_model(text) if text.endswith(".toml") else library_model(text)


def text_of(model: Model) -> str | None:
    """The model as TOML, None if it cannot be written."""
    try:
        return model.to_toml()
    except ModelError:
        return None


def _is_digest(data: Any) -> bool:
    """Whether data are what a saved question keeps of records in memory: their names, not the records."""
    return isinstance(data, Mapping) and IN_MEMORY in data


def _plain(value: Any) -> Any:
    """Tuples as lists, infinite bounds as null, so that what JSON gives back is the same."""
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
