"""One score per row: long tables, ``trec_eval -q``, ir_measures, leaderboards.

Long tables have columns for topic, score and perhaps group, system and measure, recognised by their names, in any
order. Without a header row only three columns in the order topic, system, score are read, and only where the
first column certainly contains topic ids.

``trec_eval -q`` writes measure, topic, value; ir_measures topic, measure, value. Both contain one run, which
the row ``runid`` or the name of the file names. With the run in front there are four columns.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from topicset_core.parsing.choices import Choices
from topicset_core.parsing.measure_names import measure_name
from topicset_core.parsing.numerals import is_numeral, is_whole
from topicset_core.parsing.scores.entries import (
    ONLY_SUMMARY,
    Columns,
    Entries,
    Reading,
    is_summary,
    sort_rows,
)
from topicset_core.parsing.table import TOPIC_ID, Row, Table, refuse_unequal_rows
from topicset_core.wording import counted, listed, quoted


def is_headerless_long(table: Table, _: Choices) -> bool:
    """Return whether all rows are topic, system, score beyond doubt, the first one included."""
    first = table.header.cells
    if len(first) != 3 or not is_numeral(first[2]):
        return False
    # A ragged row does not unmake the format: it is refused later, with its line.
    topics = [row.cells[0] for row in table.rows]
    systems = [row.cells[1] for row in table.rows if len(row.cells) > 1]
    looks_like_topics = all(TOPIC_ID.fullmatch(topic) for topic in topics)
    # Where the second column contains topic ids too the order is open; where it names measures this is
    # another format, topic, measure, value, without a column for systems.
    order_is_open = all(TOPIC_ID.fullmatch(system) or is_numeral(system) for system in systems)
    names_measures = all(measure_name(system) for system in systems)
    return looks_like_topics and not order_is_open and not names_measures


def read_headerless_long(table: Table, _: Choices) -> Reading:
    """Read a long table of topic, system, score that has no header."""
    origin = "There is no header row: the columns were taken as topic, run, score."
    return _read_rows(table, table.rows, Columns(0, 1, 2, None), (origin,))


def _read_rows(table: Table, rows: Sequence[Row], columns: Columns, origin: tuple[str, ...]) -> Reading:
    tables, left_out = sort_rows(table, rows, columns)
    if not tables:
        table.refuse(None, ONLY_SUMMARY)
    n_scores = sum(len(entries.values) for entries in tables)
    recognised = [f"A long table of {counted(n_scores, 'score')}, one per row.", *origin, *left_out]
    recognised += shapes(tables)
    source = ""
    if columns.measure is not None:
        source = f"the column {quoted(table.header.cells[columns.measure])}"
    return Reading(
        tables=tables,
        recognised=tuple(recognised),
        measure_source=source,
        one_run=columns.system is None,
    )


def shapes(tables: Sequence[Entries]) -> list[str]:
    """List how many topics and runs each measure has scores of, measures of one shape together."""
    by_shape: dict[str, list[str]] = {}
    for entries in tables:
        n_topics, n_systems = len(set(entries.topics)), len(set(entries.systems))
        shape = f"{counted(n_topics, 'topic')} by {counted(n_systems, 'run')}"
        by_shape.setdefault(shape, []).append(entries.measure or "")
    notes = [
        f"{shape}."
        if measures == [""]
        else f"{shape}, {'measure' if len(measures) == 1 else 'measures'} {listed(measures)}."
        for shape, measures in by_shape.items()
    ]
    return [*notes, *_uneven(tables)]


def _uneven(tables: Sequence[Entries]) -> Iterator[str]:
    """Name topics that some measures have scores of and others have not, as where an output is cut off."""
    topics = dict.fromkeys(topic for entries in tables for topic in entries.topics)
    lacking: dict[tuple[str, ...], list[str]] = {}
    for entries in tables:
        own = set(entries.topics)
        missing = tuple(topic for topic in topics if topic not in own)
        if missing:
            lacking.setdefault(missing, []).append(entries.measure or "")
    for missing, measures in lacking.items():
        noun = "topic" if len(missing) == 1 else "topics"
        yield f"Other measures have scores of {noun} {listed(missing)}, {listed(measures)} not."


# Of trec_eval 9 and 10, in addition to the names in measure_name.
TREC_EVAL = re.compile(
    r"(?:11pt_avg|3pt_avg|G|binG|ndcg_rel|Rndcg|utility|gm_bpref|prefs_.*|qrels_.*|yaap)"
    r"|(?:iprec_at_recall|ircl_prn|Rprec_mult|relative_P|set|exact|int|map_avgjg|P_avgjg)[_.].*",
    re.ASCII,
)
COUNT = re.compile(r"num_.*|Num(?:Q|Rel|Ret|RelRet)(?:\(.*\))?", re.ASCII)
TEXT = re.compile(r"relstring(?:_\d+)?", re.ASCII)
OF_JUDGING = re.compile(r"rbp_resid.*|unj_\d+", re.ASCII)
Z_SCORE = re.compile(r"Z(?P<measure>\w.*)", re.ASCII)
"""What ``trec_eval -Z`` writes in place of each measure."""
RUN_ID = "runid"
IR_MEASURES = re.compile(
    r"[A-Za-zα][A-Za-z0-9_+α-]*(?:\([^)]*\))?@\d+(?:\.\d+)?|[A-Za-z][A-Za-z0-9_-]*\([^)]*\)"
    r"|Set(?:AP|F|P|R|RelP)|AP_IA|n?NRBP|INS[QT]|SDCG|BPM|Compat"
)

LOGARITHMIC = re.compile(r"gm_(?:map|bpref)")
"""What trec_eval writes as a logarithm for each topic; only the summary over topics is a measure."""


def is_measure_rows(table: Table, _: Choices) -> bool:
    """Return whether rows contain measure, topic and value in a known order."""
    return _order(table) is not None


def read_measure_rows(table: Table, _: Choices) -> Reading:
    """Read rows of measure, topic and value, perhaps with the run in front."""
    columns = _order(table)
    if columns is None:
        table.refuse(table.header.line, "expected rows of measure, topic and value")
    return _read_measures(table, table.rows, columns, _NAMES[columns])


def is_ir_measures_records(table: Table, _: Choices) -> bool:
    """Return whether these are the records of ir_measures, as JSON lines or in a frame."""
    return sorted(table.header.cells) == sorted(RECORD)


def read_ir_measures_records(table: Table, _: Choices) -> Reading:
    """Read records of query_id, measure and value."""
    topic, measure, score = (table.header.cells.index(key) for key in RECORD)
    columns = Columns(topic=topic, system=None, score=score, measure=measure)
    return _read_measures(table, table.body, columns, RECORDS)


def _read_measures(table: Table, all_rows: list[Row], columns: Columns, order: str) -> Reading:
    refuse_unequal_rows(table, all_rows)
    measure = columns.measure or 0
    for line, cells in all_rows:
        if _is_z_score(cells[measure]):
            table.refuse(
                line,
                f"expected scores, found {quoted(cells[measure])}, a score less a mean over other runs and in "
                "their standard deviations, as trec_eval -Z writes it; call trec_eval -q without -Z",
            )
    run_name = _run_name(table, columns, measure)
    rows, left_out = _without_what_is_no_measure(all_rows, columns, measure)
    if not rows:
        how = "ir_measures with --by_query" if columns.measure else "trec_eval with -q"
        table.refuse(None, f"{ONLY_SUMMARY}; call {how}")
    tables, taken_out = sort_rows(table, rows, columns)
    notes = [f"{order}: {counted(sum(len(result.values) for result in tables), 'score')}.", *left_out]
    notes += [*taken_out, *shapes(tables)]
    logarithms = [result.measure for result in tables if LOGARITHMIC.fullmatch(result.measure or "")]
    if logarithms:
        notes.append(
            f"Per topic {listed([name for name in logarithms if name])} is the natural logarithm of the score "
            "(0 counted as 0.00001), not the score."
        )
    return Reading(
        tables=tables,
        recognised=tuple(notes),
        measure_source="the rows",
        one_run=columns.system is None,
        run_name=run_name,
    )


RECORD = ("query_id", "measure", "value")
RECORDS = "Records of query_id, measure, value, as ir_measures writes them"
_NAMES = {
    Columns(
        topic=1, system=None, score=2, measure=0
    ): "Rows of measure, topic, value, as trec_eval -q writes them",
    Columns(
        topic=0, system=None, score=2, measure=1
    ): "Rows of topic, measure, value, as ir_measures writes them",
    Columns(topic=2, system=0, score=3, measure=1): "Rows of run, measure, topic, value",
    Columns(topic=1, system=0, score=3, measure=2): "Rows of run, topic, measure, value",
}
"""The orders that are known, in which they are tried."""


def _order(table: Table) -> Columns | None:
    """Find the first order of columns that fits; None where none does."""
    first = table.header.cells
    rows = [row.cells for row in table.rows if len(row.cells) == len(first)]
    for columns in _NAMES:
        if len(first) != columns.score + 1:
            continue
        if not _are_measures(cells[columns.measure or 0] for cells in rows):
            continue
        # Half of the values may be texts: runid and relstring are.
        n_values = sum(is_numeral(cells[columns.score]) for cells in rows)
        if 2 * n_values >= len(rows):
            header_is_text = not is_numeral(first[-1]) and not _is_no_measure(first[columns.measure or 0])
            return None if header_is_text else columns
    return _order_of_names(rows) if len(first) == 4 and is_numeral(first[-1]) else None


def _order_of_names(rows: Sequence[Sequence[str]]) -> Columns | None:
    """Find which of the two columns behind the run has topics, where no measure has a name that is known."""
    if not all(is_numeral(row[3]) for row in rows) or len({tuple(row[:3]) for row in rows}) < len(rows):
        return None
    runs, second, third = (list(dict.fromkeys(row[at] for row in rows)) for at in range(3))
    look = [all(TOPIC_ID.fullmatch(name) or is_summary(name) for name in names) for names in (second, third)]
    is_full = 2 * len(rows) >= len(runs) * len(second) * len(
        third
    )  # each run has most topics by most measures
    are_grades = all(map(TOPIC_ID.fullmatch, runs)) and all(is_whole(row[3]) for row in rows)
    if look[0] == look[1] or not is_full or are_grades or any(map(is_numeral, third if look[0] else second)):
        return None
    return next(
        columns for columns in _NAMES if columns.system == 0 and columns.topic == (1 if look[0] else 2)
    )


def names_before_topics(table: Table, _: Choices) -> bool:
    """Return whether rows are a name, a topic and a score, where the name may be of a run or of a measure."""
    rows = [row.cells for row in table.rows]
    if table.is_records or any(len(row) != 3 or not is_numeral(row[2]) for row in rows):
        return False
    topics = all(TOPIC_ID.fullmatch(row[1]) or is_summary(row[1]) for row in rows)
    names = not any(TOPIC_ID.fullmatch(row[0]) or is_numeral(row[0]) for row in rows)
    return topics and names and len({(row[0], row[1]) for row in rows}) == len(rows)


def with_columns(table: Table) -> Table:
    """Return a table without a header under names that count its columns, by which roles can be stated."""
    names = [f"column {at}" for at in range(1, len(table.header.cells) + 1)]
    return replace(table, rows=[Row(0, names), *table.rows])


def _is_no_measure(name: str) -> bool:
    return name == RUN_ID or any(kind.fullmatch(name) for kind in (COUNT, TEXT, OF_JUDGING))


def _are_measures(names: Iterable[str]) -> bool:
    """Return whether at least half of the different names are known to name measures, and none is a number."""
    different = list(dict.fromkeys(names))
    if any(map(is_numeral, different)):
        return False
    known = [_is_no_measure(name) or _is_measure(name) or _is_z_score(name) for name in different]
    return any(known) and 2 * sum(known) >= len(known)


def _is_measure(name: str) -> bool:
    return measure_name(name) is not None or bool(TREC_EVAL.fullmatch(name) or IR_MEASURES.fullmatch(name))


def _is_z_score(name: str) -> bool:
    match = Z_SCORE.fullmatch(name)
    return match is not None and not _is_measure(name) and _is_measure(match["measure"])


def _run_name(table: Table, columns: Columns, measure: int) -> str:
    """Return the value of the row ``runid``, or nothing; refuse several runs in one output that names no run."""
    result: dict[str, int] = {}
    for line, cells in table.rows:
        if columns.system is None and cells[measure] == RUN_ID:
            result.setdefault(cells[columns.score], line)
    if len(result) > 1:
        (_, line) = list(result.items())[1]
        table.refuse(
            line,
            f"expected the output for one run, found the outputs for {listed(list(result))}; save each "
            "to a separate file",
        )
    return next(iter(result), "")


def _without_what_is_no_measure(
    rows: list[Row], columns: Columns, measure: int
) -> tuple[list[Row], tuple[str, ...]]:
    """Leave out counts, texts, and measures that have a summary row only; name them."""
    notes = []
    names = list(dict.fromkeys(row.cells[measure] for row in rows))
    summaries = set(filter(is_summary, {row.cells[columns.topic] for row in rows}))
    with_topics = {row.cells[measure] for row in rows if row.cells[columns.topic] not in summaries}
    kinds = {
        "counts, not measures": [name for name in names if COUNT.fullmatch(name)],
        "texts": [name for name in names if TEXT.fullmatch(name)],
        "about judgments, not effectiveness": [name for name in names if OF_JUDGING.fullmatch(name)],
        "no row of a single topic": [
            name for name in names if not _is_no_measure(name) and name not in with_topics
        ],
    }
    for kind, of_kind in kinds.items():
        if of_kind:
            notes.append(f"Left out ({kind}): {listed(of_kind, 20)}.")
    out = {RUN_ID, *(name for of_kind in kinds.values() for name in of_kind)}
    return [row for row in rows if row.cells[measure] not in out], tuple(notes)
