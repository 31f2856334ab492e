"""Scores as a format hands them on: entries by measure, and the sentences on how they were recognised.

Rows and columns that summarise others are recognised here: `all` of trec_eval, `amean` of gdeval, a row of
means.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection import ScoreMatrix
from topicset_core.errors import ParseError
from topicset_core.parsing.choices import Role
from topicset_core.parsing.groups import GROUP_WORDS, MAY_BE_OTHER, groups_in
from topicset_core.parsing.numerals import Place, read_numbers
from topicset_core.parsing.roles import Roles
from topicset_core.parsing.table import Row, Table, plain, refuse_unequal_rows, words
from topicset_core.wording import counted, listed, quoted


@dataclass(frozen=True, kw_only=True, eq=False)
class Entries:
    """Scores of one measure, one after the other, as a file gives them; perhaps with gaps and repeats."""

    # Topic id and run name of each score
    topics: Sequence[str]
    systems: Sequence[str]
    values: NDArray[np.float64]  # (n_entries,)
    empty: NDArray[np.bool_]  # (n_entries,)
    place: Callable[[int], Place]  # gives the place of the score with an index
    measure: str | None  # the measure in the spelling of the file
    decimal_comma: bool  # whether the scores are written with decimal commas


@dataclass(frozen=True, kw_only=True)
class Reading:
    """Everything a format found in a table."""

    tables: tuple[Entries, ...]
    recognised: tuple[str, ...]  # sentences about shape, ids and numbers
    # Where the measures were named, to follow "comes from"; empty where they were not
    measure_source: str = ""
    # Whether the table contains the scores of a single run without its name next to each score: these tables
    # are joined
    one_run: bool = False
    run_name: str = ""  # the name of that run, where the table contains it
    # Whether the table contains a part of the topics of the run `run_name`: other tables may contain others
    part_of_run: bool = False
    run_source: str = "the row runid"  # where that name is from
    # The task that a log names: logs of one task are joined, and the matrix is called so
    task: str = ""
    # The group of each topic, where the table has it, and its source, to follow "Topics are in 5 groups, from"
    groups: Mapping[str, str] = field(default_factory=dict)
    group_source: str = ""
    # What measures are called here, by their spelling in the file, where the format itself knows
    names: Mapping[str, str] = field(default_factory=dict)
    # Of a table with a header: the topic of each row, whether it is the number of the row, and the roles of columns
    row_ids: tuple[str, ...] = ()
    first_is: Role | None = None  # what the first column of a wide table has, where it has ids
    is_numbered: bool = False
    roles: Roles | None = None


def with_groups(
    reading: Reading, table: Table, columns: Sequence[int], rows: Iterable[tuple[Row, str]], shift: int = 0
) -> Reading:
    """Return a reading with the groups of its topics, which the only one of these columns has for each topic."""
    header = table.header.cells
    names = [quoted(header[at]) for at in columns]
    called = {name for name in header if plain(name) in GROUP_WORDS}
    scored = (
        called.intersection(*[[*entries.systems, entries.measure] for entries in reading.tables])
        if called
        else None
    )
    note = (
        f"Though its name may be of groups of topics, {listed(sorted(scored))} has scores." if scored else ""
    )
    if len(columns) > 1:
        note = (
            f"Topics have no groups, as the columns {' and '.join(names)} may name them; keep one of these."
        )
    elif columns:
        at = columns[0] + shift
        topics = {topic for entries in reading.tables for topic in entries.topics}
        cells = ((row.line, topic, row.cells[at]) for row, topic in rows if topic in topics)
        try:
            groups = groups_in(table, cells, at)
        except ParseError as error:
            if plain(header[columns[0]]) not in MAY_BE_OTHER:
                raise
            note = f"The column {names[0]} was left out, and topics have no groups: {error.expected}."
        else:
            return replace(reading, groups=groups, group_source=f"the column {names[0]}")
    return replace(reading, recognised=(*reading.recognised, note)) if note else reading


SUMMARY_WORDS = words(
    "all mean amean gmean average avg total sum median overall map macroavg microavg weightedavg samplesavg"
)
"""Ids that name a summary rather than a topic or a run, as `plain` leaves them."""

SUMMARY_WORDS_NEXT_TO_IDS = words(
    "min minimum max maximum count range sd std stdev stdevs stdevp stddev standarddeviation var variance "
    "se sem stderr standarderror ci ci95 95ci"
)
"""Words below or next to means in spreadsheets; alone, a word of these may be an id, as SE is of Sweden."""

_QUANTILE = re.compile(r"\d{1,2}(?:\.\d+)?%", re.ASCII)
_IN_BRACKETS = re.compile(r"\s*[(\[][^()\[\]]*[)\]]$")

ROUNDING = 1e-3
"""Half a unit in the third decimal, twice: a column of means may be rounded, and so may the scores."""


def is_summary(name: str) -> bool:
    """Return whether a name is that of a summary."""
    # Most topic ids are numbers, and no number is a word; 25% is a quartile of pandas.
    return not name.isdecimal() and (_word(name) in SUMMARY_WORDS or bool(_QUANTILE.fullmatch(name)))


def may_be_summary(name: str) -> bool:
    """Return whether a name is that of a summary where there are others."""
    return not name.isdecimal() and _word(name) in SUMMARY_WORDS_NEXT_TO_IDS


def _word(name: str) -> str:
    return plain(_IN_BRACKETS.sub("", name))  # Mean (n=50)


def without_summary_topics(topics: Sequence[str], noun: str = "row") -> tuple[list[int], tuple[str, ...]]:
    """Return which rows (or columns) stay, and notes on summaries, and on deviations next to them, left out."""
    different = dict.fromkeys(topics)
    summaries = {topic for topic in different if is_summary(topic)}
    others = [topic for topic in different if may_be_summary(topic)]
    if not summaries:
        kept = [_KEPT.format(f"Topic {quoted(topic)}") for topic in others]
        return list(range(len(topics))), tuple(kept)
    summaries.update(others)
    rows = [index for index, topic in enumerate(topics) if topic not in summaries]
    taken_out = counted(len(topics) - len(rows), f"summary {noun}")
    names = listed(tuple(topic for topic in dict.fromkeys(topics) if topic in summaries))
    not_topics = "is not a topic" if len(summaries) == 1 else "are not topics"
    return rows, (f"{taken_out} left out: {names}, which {not_topics}.",)


ONLY_SUMMARY = "expected scores of single topics, found only summary rows"
_KEPT = "{} was kept, but it is named like a summary; remove it if it is one."

_CENTRES: dict[str, Callable[..., Any]] = {"mean": np.mean, "median": np.median, "sum": np.sum}
_SPREADS: dict[str, Callable[..., Any]] = {
    "minimum": np.min,
    "maximum": np.max,
    "standard deviation": partial(np.std, ddof=1),
    "variance": partial(np.var, ddof=1),
}


def without_summary_runs(matrix: ScoreMatrix) -> tuple[ScoreMatrix, list[str]]:
    """Leave out columns named as a summary that contain one; fused runs are called sum too, and a note says so."""
    named = [column for column, name in enumerate(matrix.systems) if is_summary(name) or may_be_summary(name)]
    others = [column for column in range(matrix.n_systems) if column not in named]
    notes, taken_out = [], []
    for column in named:
        name = repr(matrix.systems[column])
        scores, of_runs = matrix.scores[:, column], matrix.scores[:, others]
        kinds = _SPREADS if may_be_summary(matrix.systems[column]) else _CENTRES
        close = (
            kind for kind in kinds if np.allclose(scores, kinds[kind](of_runs, axis=1), ROUNDING, ROUNDING)
        )
        kind = next(close, None) if len(others) > 1 else None
        if kind:
            taken_out.append(column)
            notes.append(f"Column {name} left out: it contains the {kind} of the runs on each topic.")
        else:
            notes.append(_KEPT.format(f"Run {name}"))
    if not taken_out:
        return matrix, notes
    kept = [column for column in range(matrix.n_systems) if column not in taken_out]
    return matrix.taken(range(matrix.n_topics), kept), notes


class Columns(NamedTuple):
    """The column of each part; None for a run that no column names, or measures that none names."""

    topic: int
    system: int | None
    score: int
    measure: int | None


def sort_rows(
    table: Table, rows: Sequence[Row], columns: Columns, called: str | None = None
) -> tuple[tuple[Entries, ...], tuple[str, ...]]:
    """Return entries by measure (`called` where no column names it), and sentences on summary rows left out."""
    refuse_unequal_rows(table, rows)
    named = [("topic id", columns.topic), ("run name", columns.system), ("measure", columns.measure)]
    for line, cells in rows:
        for role, column in named:
            if column is not None and not cells[column]:
                table.refuse(line, f"expected a {role} in {table.at(line, column)}, found an empty cell")
    kept, notes = without_summary_topics([row.cells[columns.topic] for row in rows])
    by_measure: dict[str | None, list[Row]] = {}
    for row in (rows[index] for index in kept):
        measure = called if columns.measure is None else row.cells[columns.measure]
        by_measure.setdefault(measure, []).append(row)
    tables = tuple(
        _entries(table, of_measure, columns, measure) for measure, of_measure in by_measure.items()
    )
    return tables, notes


def _entries(table: Table, rows: Sequence[Row], columns: Columns, measure: str | None) -> Entries:
    def place(index: int) -> Place:
        line, cells = rows[index]
        run = "" if columns.system is None else f", run {quoted(cells[columns.system])}"
        of_measure = "" if measure is None else f", measure {quoted(measure)}"
        words = f"topic {quoted(cells[columns.topic])}{run}{of_measure}"
        return Place(table.file, line, words, table.unit)

    numbers = read_numbers([row.cells[columns.score] for row in rows], place)
    return Entries(
        topics=[row.cells[columns.topic] for row in rows],
        systems=["" if columns.system is None else row.cells[columns.system] for row in rows],
        place=place,
        measure=measure,
        **numbers._asdict(),
    )
