"""Outputs with one row a measure and topic: ``trec_eval -q``, ir_measures, TOT and leaderboards.

``trec_eval -q`` writes measure, topic, value; ir_measures topic, measure, value. Both hold one run,
which the row ``runid`` or the name of the file names. With the run in front there are four columns.
"""

import re
from collections.abc import Iterable

from topicset_core.errors import ParseError
from topicset_core.parsing.choices import Choices
from topicset_core.parsing.measure_names import measure_name
from topicset_core.parsing.numerals import is_numeral
from topicset_core.parsing.scores.entries import Reading
from topicset_core.parsing.scores.long import shapes
from topicset_core.parsing.scores.rows import Columns, sort_rows
from topicset_core.parsing.scores.summaries import is_summary
from topicset_core.parsing.table import Row, Table, refuse_unequal_rows
from topicset_core.wording import counted, listed

# Of trec_eval 9 and 10, beside those that measure_name knows.
TREC_EVAL = re.compile(
    r"(?:11pt_avg|3pt_avg|G|binG|ndcg_rel|Rndcg|utility|rbp_resid|gm_bpref|prefs_.*|qrels_.*|yaap)"
    r"|(?:iprec_at_recall|ircl_prn|Rprec_mult|relative_P|unj|set|exact|int|map_avgjg|P_avgjg)[_.].*",
    re.ASCII,
)
COUNT = re.compile(r"num_.*|Num(?:Q|Rel|Ret|RelRet)(?:\(.*\))?", re.ASCII)
TEXT = re.compile(r"relstring(?:_\d+)?", re.ASCII)
RUN_ID = "runid"
IR_MEASURES = re.compile(
    r"[A-Za-zα][A-Za-z0-9_+α-]*(?:\([^)]*\))?@\d+(?:\.\d+)?|[A-Za-z][A-Za-z0-9_-]*\([^)]*\)"
    r"|Set(?:AP|F|P|R|RelP)|AP_IA|n?NRBP|INS[QT]|SDCG|BPM|Compat"
)

LOGARITHMIC = re.compile(r"gm_(?:map|bpref)")
"""What trec_eval writes as a logarithm for each topic; only the summary over topics is a measure."""


def is_measure_rows(table: Table, _: Choices) -> bool:
    """Say whether rows hold measure, topic and value, in an order of those known."""
    return _columns(table) is not None


def read_measure_rows(table: Table, _: Choices) -> Reading:
    """Read rows of measure, topic and value, perhaps with the run in front.

    Raises
    ------
    ParseError
        At the first place that does not fit.
    """
    columns = _columns(table)
    if columns is None:
        raise ParseError(table.file, table.header.line, "expected rows of measure, topic and value")
    return _read(table, table.rows, columns)


def is_ir_measures_records(table: Table, _: Choices) -> bool:
    """Say whether these are the records that ir_measures writes, one a line."""
    return table.is_records and sorted(table.header.cells) == sorted(RECORD)


def read_ir_measures_records(table: Table, _: Choices) -> Reading:
    """Read records of query_id, measure and value.

    Raises
    ------
    ParseError
        At the first place that does not fit.
    """
    topic, measure, score = (table.header.cells.index(key) for key in RECORD)
    return _read(table, table.body, Columns(topic=topic, system=None, score=score, measure=measure))


def _read(table: Table, all_rows: list[Row], columns: Columns) -> Reading:
    refuse_unequal_rows(table, all_rows)
    measure = columns.measure or 0
    run_name = _run_name(table, columns, measure)
    rows, left_out = _without_what_is_no_measure(all_rows, columns, measure)
    if not rows:
        how = "ir_measures with --by_query" if columns.measure else "trec_eval with -q"
        raise ParseError(
            table.file, None, f"expected scores of single topics, found only summary rows; call {how}"
        )
    tables, taken_out = sort_rows(table, rows, columns)
    order = RECORDS if table.is_records else _NAMES[columns]
    said = [f"{order}: {counted(sum(len(found.values) for found in tables), 'score')}.", *left_out]
    said += [*taken_out, *shapes(tables)]
    logarithms = [found.measure for found in tables if LOGARITHMIC.fullmatch(found.measure or "")]
    if logarithms:
        said.append(
            f"Per topic {listed([name for name in logarithms if name])} is the natural logarithm of the score "
            "(0 counted as 0.00001), not the score."
        )
    return Reading(
        tables=tables,
        recognised=tuple(said),
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


def _columns(table: Table) -> Columns | None:
    """Find the first order of columns that fits; None where none does."""
    first = table.header.cells
    rows = [row.cells for row in table.rows if len(row.cells) == len(first)]
    for columns in _NAMES:
        if len(first) != columns.score + 1:
            continue
        # Half of the values may be texts: runid and relstring are.
        n_values = sum(is_numeral(cells[columns.score]) for cells in rows)
        if 2 * n_values >= len(rows) and _are_measures(cells[columns.measure or 0] for cells in rows):
            header_is_text = not is_numeral(first[-1]) and not _is_no_measure(first[columns.measure or 0])
            return None if header_is_text else columns
    return None


def _is_no_measure(name: str) -> bool:
    return bool(name == RUN_ID or COUNT.fullmatch(name) or TEXT.fullmatch(name))


def _are_measures(names: Iterable[str]) -> bool:
    """Say whether at least half of the different names are known to name measures, and none is a number."""
    different = list(dict.fromkeys(names))
    if any(map(is_numeral, different)):
        return False
    known = [
        _is_no_measure(name)
        or measure_name(name) is not None
        or bool(TREC_EVAL.fullmatch(name) or IR_MEASURES.fullmatch(name))
        for name in different
    ]
    return any(known) and 2 * sum(known) >= len(known)


def _run_name(table: Table, columns: Columns, measure: int) -> str:
    """Return what the row ``runid`` says, or nothing.

    Raises
    ------
    ParseError
        If there are several runs in one output that names no run beside each score.
    """
    found: dict[str, int] = {}
    for line, cells in table.rows:
        if columns.system is None and cells[measure] == RUN_ID:
            found.setdefault(cells[columns.score], line)
    if len(found) > 1:
        (_, line) = list(found.items())[1]
        raise ParseError(
            table.file,
            line,
            f"expected the output for one run, found those of {listed(list(found))}; save each to a "
            "file of its own",
        )
    return next(iter(found), "")


def _without_what_is_no_measure(
    rows: list[Row], columns: Columns, measure: int
) -> tuple[list[Row], tuple[str, ...]]:
    """Leave out counts, texts, and measures that have a summary row only; name them."""
    said = []
    names = list(dict.fromkeys(row.cells[measure] for row in rows))
    summaries = set(filter(is_summary, {row.cells[columns.topic] for row in rows}))
    with_topics = {row.cells[measure] for row in rows if row.cells[columns.topic] not in summaries}
    kinds = {
        "counts, not measures": [name for name in names if COUNT.fullmatch(name)],
        "texts": [name for name in names if TEXT.fullmatch(name)],
        "no row of a single topic": [
            name for name in names if not _is_no_measure(name) and name not in with_topics
        ],
    }
    for kind, of_kind in kinds.items():
        if of_kind:
            said.append(f"Left out ({kind}): {listed(of_kind, 20)}.")
    out = {RUN_ID, *(name for of_kind in kinds.values() for name in of_kind)}
    return [row for row in rows if row.cells[measure] not in out], tuple(said)
