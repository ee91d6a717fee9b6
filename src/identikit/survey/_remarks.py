"""What to mind about a record, as findings."""

from __future__ import annotations

from collections.abc import Sequence

from identikit.measurement import Clock, Record
from identikit.result import ColumnLook, ColumnRole, Finding, finding
from identikit.survey._settings import SURVEY

MOST_IN_A_SENTENCE = 3  # gaps, times or names that a sentence lists


def remarks(record: Record, clock: Clock, columns: Sequence[ColumnLook]) -> tuple[Finding, ...]:
    """Everything worth a sentence: the clock first, then column by column."""
    found = [*_of_the_clock(record, clock)]
    for column in columns:
        found.extend(_of_a_column(column, record))
    return tuple(found)


def _of_the_clock(record: Record, clock: Clock) -> list[Finding]:
    unit = f" {record.time_unit}" if record.time_unit else ""
    found = []
    if clock.gaps:
        listed = ", ".join(f"{gap.begin:.5g} to {gap.end:.5g}{unit}" for gap in clock.gaps[:MOST_IN_A_SENTENCE])
        more = f" and {len(clock.gaps) - MOST_IN_A_SENTENCE} more" if len(clock.gaps) > MOST_IN_A_SENTENCE else ""
        found.append(finding("gap", f"{_many(len(clock.gaps), 'gap')} without samples: {listed}{more}"))
    if clock.lost:
        found.append(finding("samples_lost", f"{_many(clock.lost, 'sample')} lost here and there, besides gaps"))
    if clock.jitter > SURVEY.jitter_large:
        found.append(
            finding(
                "uneven_clock",
                f"the time between samples varies by {100 * clock.jitter:.2g} %: use the times as they are",
            )
        )
    if len(record) < SURVEY.fewest_for_noise:
        found.append(
            finding(
                "few_samples", f"{len(record)} samples are too few to tell noise from motion, or to name a kind surely"
            )
        )
    return found


def _of_a_column(column: ColumnLook, record: Record) -> list[Finding]:
    name, unit = column.name, f" {column.unit}" if column.unit else ""
    time_unit = f" {record.time_unit}" if record.time_unit else ""
    if column.role is ColumnRole.UNREADABLE:
        return [finding("column_unreadable", f"{name} holds no numbers: {column.note}", name)]
    if column.role is ColumnRole.EMPTY:
        return [finding("column_without_values", f"{name} holds no value", name)]
    if column.role is ColumnRole.REPEATED:
        return [finding("column_repeated", f"{name} holds the same values as {column.note}", name, column.note)]
    if column.role is ColumnRole.CONSTANT:
        return [finding("column_without_values", f"{name} is {column.low:.5g}{unit} throughout", name)]
    found = []
    if column.role is ColumnRole.RUNS:
        joined = ", one after the other without a pause" if column.contiguous else ""
        found.append(finding("runs_marked", f"{name} numbers {column.levels} runs{joined}", name))
    if column.role is ColumnRole.COMMAND:
        text = f"{name} is made of steps ({_many(column.changes, 'change')}), as a command or an input is"
        found.append(finding("command_like", text, name))
    if column.first_known is not None:
        text = f"{name} is not known before t = {column.first_known:.5g}{time_unit}"
        found.append(finding("unknown_at_first", text, name))
    if column.hold > 1 and column.role is ColumnRole.MEASURED:
        text = f"{name} has a new value only every {column.hold} samples: its sensor is slower than the log"
        found.append(finding("slow_column", text, name))
    if column.wraps:
        found.append(finding("wrapped_angle", f"{name} jumps by a whole turn {_many(column.wraps, 'time')}", name))
    for limit in column.clipped:
        end = "highest" if limit.highest else "lowest"
        where = f"{limit.samples} samples in {limit.places} places"
        text = f"{name} is cut off at its {end} value {limit.level:.5g}{unit} ({where})"
        found.append(finding("sensor_at_limit", text, name))
    if column.outliers:
        at = ", ".join(f"{t:.5g}" for t in column.outlier_times[:MOST_IN_A_SENTENCE])
        more = ", ..." if column.outliers > MOST_IN_A_SENTENCE else ""
        share = 100 * column.outliers / column.count
        text = f"{name} has {_many(column.outliers, 'outlier')} ({share:.2g} %), at t = {at}{more}{time_unit}"
        found.append(finding("outliers_seen", text, name))
    noise = column.noise
    if noise is not None and noise.by_resolution and column.step is not None:
        text = f"{name} is resolved in steps of {column.step:.3g}{unit}, coarser than its noise"
        found.append(finding("coarse_resolution", text, name))
    elif noise is not None and noise.white is False:
        how = f" ({noise.coefficient:.2f} from one sample to the next)" if noise.coefficient else ""
        wrong = "small" if noise.coefficient >= 0 else "large"
        text = f"the noise of {name} is coloured{how}: standard errors for white noise would be too {wrong}"
        found.append(finding("coloured_noise", text, name))
    return found


def _many(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"
