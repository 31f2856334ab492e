"""The known formats of scores: how each is recognised, its parser, its description for users.

Files without scores of single topics, such as rankings and means, are known too, and refused: scores are
computed from rankings and judgments; of means over topics, and of the subsets and correlations that
NewBestSub writes, the scores of single topics cannot be had.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple, NoReturn

from topicset_core.errors import ParseError
from topicset_core.parsing.archives import beginning
from topicset_core.parsing.choices import Choices
from topicset_core.parsing.columns import names_long_table
from topicset_core.parsing.measure_names import measure_name
from topicset_core.parsing.numerals import is_fraction, is_numeral, is_whole
from topicset_core.parsing.opening import open_file
from topicset_core.parsing.roles import Roles, roles_of, roles_of_rows
from topicset_core.parsing.scores.by_roles import read_by_roles
from topicset_core.parsing.scores.entries import Reading
from topicset_core.parsing.scores.logs import PROGRAMS, is_log, read_log
from topicset_core.parsing.scores.long import (
    is_headerless_long,
    is_ir_measures_records,
    is_measure_rows,
    names_before_topics,
    read_headerless_long,
    read_ir_measures_records,
    read_measure_rows,
    with_columns,
)
from topicset_core.parsing.scores.ntcireval import is_ntcireval, read_ntcireval
from topicset_core.parsing.scores.program_tables import PROGRAM_TABLES
from topicset_core.parsing.scores.wide import headed, is_plain_matrix, read_plain_matrix, read_wide
from topicset_core.parsing.table import TOPIC_ID, TOPIC_WORDS, Table, plain
from topicset_core.parsing.trec.intents import TOLERANCE
from topicset_core.parsing.trec.lines import is_beir_header
from topicset_core.wording import quoted

LEVEL = re.compile(r"L\d+", re.ASCII)
TOP_SOLUTIONS = ("cardinality", "correlation", "topics")
FUN = re.compile(r"(?:.*[-_/])?fun\.csv", re.IGNORECASE)
BITS = re.compile(r"[01]{4,}")
RANX_REPORT = {"metrics", "model_names", "stat_test"}
CLASSIFICATION = {"precision", "recall", "f1-score", "support"}
CLASSIFICATION_IN_JSON = {"macro avg.precision", "macro avg.recall"}
DESCRIPTION = {"count", "mean", "std", "min", "max"}
PERCENTILE = re.compile(r"\d+(?:\.\d+)?%", re.ASCII)
NO_ROWS = re.compile(rb"(?m)^\s*(?:#|<SYSDESC>).*\n")  # of runs and judgments: comments and descriptions


def is_ranking(table: Table) -> bool:
    """Return whether the first row is that of a TREC run: topic, Q0, document, rank, score, tag."""
    cells = table.header.cells
    return (
        len(cells) == 6
        and (cells[1].upper() == "Q0" or cells[1] == "0")
        and is_whole(cells[3])
        and is_numeral(cells[4])
    )


def is_judgments(table: Table) -> bool:
    """Return whether the first rows are judgments: topic, iteration or intent, document, grade; or BEIR's three."""
    if is_beir_header(table.header.cells):
        return True
    rows = [row.cells for row in table.rows[:20]]
    if not all(len(cells) == 4 and is_whole(cells[3]) for cells in rows):
        return False
    if all(cells[1].upper() in ("0", "Q0") for cells in rows):
        # Where documents are numbers so is every cell, and there is no header: no table of scores is like
        # that.
        return all(map(is_whole, [cells[2] for cells in rows])) or not any(is_numeral(c[2]) for c in rows)
    # Rows of run, topic, measure and value are recognised by their measures.
    is_by_intent = all(is_whole(c[1]) and not is_numeral(c[2]) for c in rows)
    return is_by_intent and not is_measure_rows(table, Choices())


def is_levels(table: Table) -> bool:
    """Return whether the first rows are judgments of NTCIR: document and level, perhaps with the topic."""
    rows = [row.cells for row in table.rows[:20]]
    return all(2 <= len(cells) <= 4 and LEVEL.fullmatch(cells[-1]) for cells in rows)


def is_intent_probabilities(table: Table) -> bool:
    """Return whether rows are topic, intent and a fraction, and the fractions of each topic add up to 1."""
    totals: dict[str, float] = {}
    intents: set[tuple[str, str]] = set()
    for cells in (row.cells for row in table.rows):
        if len(cells) != 3 or not (is_whole(cells[1]) and is_fraction(cells[2])) or "," in cells[2]:
            return False
        totals[cells[0]] = totals.get(cells[0], 0.0) + float(cells[2])
        intents.add((cells[0], cells[1]))
    several = len(intents) == len(table.rows) > len(totals)
    return several and all(abs(total - 1) <= TOLERANCE for total in totals.values())


def is_topic_subsets(table: Table) -> bool:
    """Return whether these are results of NewBestSub: correlations of topic subsets, or the subsets."""
    if tuple(map(plain, table.header.cells)) == TOP_SOLUTIONS:
        return True
    if all(len(row.cells) == 1 and len(row.cells[0]) == len(table.header.cells[0]) for row in table.rows):
        return all(BITS.fullmatch(row.cells[0]) for row in table.rows)
    return bool(FUN.fullmatch(table.file)) and all(
        len(cells) == 2
        and all(map(is_numeral, cells))
        and any(is_whole(cell) or cell.endswith(".0") for cell in cells)
        for _, cells in table.rows
    )


def is_means(table: Table) -> bool:
    """Return whether there is one number for each name, of a measure or of a run."""
    if table.is_records:
        return [plain(cell) for cell in table.header.cells] == ["measure", "value"]
    # Above a column of topics is a run, even where its name is a number.
    return plain(table.header.cells[0]) not in TOPIC_WORDS and all(
        len(row.cells) == 2
        and is_fraction(row.cells[1])
        and not is_numeral(row.cells[0])
        and not TOPIC_ID.fullmatch(row.cells[0])
        for row in table.rows
    )


def is_means_of_measures(table: Table) -> bool:
    """Return whether there is one number for each name, and some names are measures."""
    return is_means(table) and (
        table.is_records or any(measure_name(row.cells[0]) is not None for row in table.rows)
    )


def is_ranx_report(table: Table) -> bool:
    """Return whether this is a report of ranx: means, differences and p-values of systems."""
    return table.is_records and RANX_REPORT.issubset(table.header.cells)


def is_summary_table(table: Table) -> bool:
    """Return whether this is a summary: classification_report of scikit-learn, or describe() of pandas."""
    columns = {cell.casefold() for cell in table.header.cells}
    if any(map(columns.issuperset, (CLASSIFICATION, CLASSIFICATION_IN_JSON, DESCRIPTION))):
        return True
    rows = {row.cells[0].casefold() for row in table.body}
    return rows.issuperset(DESCRIPTION) and all(map(PERCENTILE.fullmatch, rows - DESCRIPTION))


REFUSALS = (
    (
        is_ranking,
        "expected scores of runs on topics, found a ranking of documents (topic, Q0, document, rank, score, tag); "
        "its scores are computed from it and relevance judgments",
    ),
    (
        is_judgments,
        "expected scores of runs on topics, found relevance judgments (topic, iteration, document, grade); scores "
        "are computed from them and rankings",
    ),
    (
        is_levels,
        "expected scores of runs on topics, found relevance judgments of NTCIR ({first}, a document and its "
        "level); scores are computed from them and rankings",
    ),
    (
        is_intent_probabilities,
        "expected scores of runs on topics, found probabilities of intents (topic, intent, probability, which add "
        "up to 1 in each topic); upload them with relevance judgments by intent",
    ),
    (
        is_topic_subsets,
        "expected scores of runs on topics, found results of NewBestSub ({first}): topic subsets and their "
        "correlations; upload the table that it read, with one row per run and one column per topic",
    ),
    (
        is_ranx_report,
        "expected scores of single topics, found a report of ranx: means of systems, no scores per topic; save "
        "dict(run.scores) of each run as JSON after ranx.evaluate",
    ),
    (
        is_summary_table,
        "expected scores of single topics, found a summary ({first}), as classification_report() of scikit-learn "
        "or describe() of pandas returns it; upload the table that it summarises",
    ),
    (
        is_means_of_measures,
        "expected scores of single topics, found one number for each measure, as in means over topics; call "
        "ir_measures with --by_query or trec_eval with -q",
    ),
    (
        is_means,
        "expected scores of single topics, found one number for each name, as in means over topics; upload the "
        "files they were computed from; if these are topics, put 'topic' and the run above them",
    ),
)
"""How files without scores are recognised, in this order, and their refusals; {first} is the first row."""


Kind = Literal["scores", "run", "qrels"]


def kind_of(content: bytes, file: str) -> Kind:
    """Return what a file, or the first one in an archive, holds by its beginning; scores where in doubt."""
    text = NO_ROWS.sub(b"", beginning(content, file))
    for table in open_file(text, file).tables[:1]:
        if is_ranking(table):
            return "run"
        if is_judgments(table) or is_levels(table) or is_intent_probabilities(table):
            return "qrels"
        if names_long_table(table.header.cells) or is_measure_rows(table, Choices()):
            return "scores"
        # A line that is not as it should be is for the reader of the other lines to name.
        rows = [row.cells for row in table.rows[:20]]
        of_trec = [row for row in rows if row[1:2] in (["0"], ["Q0"]) and not all(map(is_numeral, row[2:3]))]
        if 2 * len(of_trec) > len(rows) and not table.is_records:
            return "run" if max(map(len, of_trec)) > 4 else "qrels"
    return "scores"


def kinds_of(files: Sequence[tuple[str, bytes]]) -> list[Kind]:
    """Return what each of the files holds."""
    return [kind_of(content, name) for name, content in files]


def refuse_no_scores(table: Table, _: Choices) -> NoReturn:
    """Refuse a table without scores of single topics, and name its contents."""
    message = next(message for recognises, message in REFUSALS if recognises(table))
    first = quoted(" ".join(table.header.cells))
    table.refuse(table.header.line, message.format(first=first))


class Format(NamedTuple):
    """How a shape of table is recognised, its parser, its Markdown for users (empty if another's covers it)."""

    recognises: Callable[[Table, Choices], bool]
    read: Callable[[Table, Choices], Reading]
    words: str = ""


HEADED = Format(
    lambda *_: True,  # any other table has a header, or is refused
    lambda table, choices: read_wide(table, choices),
    "**Tables** with a header: topics by runs, runs by topics as NewBestSub reads them, one score per row (topic, "
    "run, score, perhaps measure and group), or one column per measure, as evaluators of generated answers write "
    "them; each column gets a role, which you can change",
)
PLAIN_MATRIX = Format(is_plain_matrix, read_plain_matrix)
HEADERLESS_LONG = Format(is_headerless_long, read_headerless_long)
MEASURE_ROWS = Format(
    lambda table, choices: not names_long_table(table.header.cells) and is_measure_rows(table, choices),
    read_measure_rows,
    "**trec_eval -q**, and **ir_measures -q** as text or JSON lines: one file per run",
)
NAMES_BEFORE_TOPICS = Format(names_before_topics, refuse_no_scores)
IR_MEASURES_RECORDS = Format(is_ir_measures_records, read_ir_measures_records)
NTCIREVAL = Format(
    is_ntcireval,
    read_ntcireval,
    "**NTCIREVAL** (nev, Dnev, Topicsys-matrix) and **pyNTCIREVAL**: one file per run, or a run and topic",
)
LOG = Format(
    is_log,
    read_log,
    f"**Logs** of {', '.join(program.words for program in PROGRAMS if program.words)}",
)
NO_SCORES = Format(
    lambda table, choices: not choices.roles and any(recognises(table) for recognises, _ in REFUSALS),
    refuse_no_scores,
)

FORMATS = (
    LOG,
    NTCIREVAL,
    NO_SCORES,
    IR_MEASURES_RECORDS,
    MEASURE_ROWS,
    HEADERLESS_LONG,
    NAMES_BEFORE_TOPICS,
    PLAIN_MATRIX,
    HEADED,
)
"""In the order in which they are tried; the first that recognises a table reads it."""

LISTED = (
    HEADED.words,
    MEASURE_ROWS.words,
    NTCIREVAL.words,
    "**gdeval** and **ndeval**: CSV that begins with runid,topic",
    "**ragas** results as CSV or JSON, with the texts next to the scores: one file per run",
    LOG.words,
)
"""The formats in words for users, in the order of the lists on pages."""


_NOTHING = Reading(tables=(), recognised=())


class TableRead(NamedTuple):
    """What a table was read as, or why it was refused, and the roles of its columns where it has a header."""

    reading: Reading
    roles: Roles | None = None
    refusal: ParseError | None = None


def read_table(table: Table, choices: Choices, ids: Sequence[str] = ()) -> TableRead:
    """Read a table in the first format that recognises it; `ids` are columns with the same ids in all files."""
    roles = None
    try:
        known = next(known for known in FORMATS if known.recognises(table, choices))
        changed, notes = table, tuple[str, ...]()
        if known is NAMES_BEFORE_TOPICS:
            named = with_columns(table)
            roles, refusal = roles_of_rows(named, choices)
            return (
                TableRead(_NOTHING, roles, refusal)
                if refusal
                else TableRead(read_by_roles(named, roles, choices), roles)
            )
        if known is HEADED:
            for program in PROGRAM_TABLES:
                if program.recognises(table, choices):
                    changed, notes = program.change(table)
                    break
        with_names = headed(changed) if known is HEADED else None
        if with_names is None:
            return TableRead(known.read(changed, choices))
        roles, refusal = roles_of(with_names, choices, ids)
        if refusal is not None:
            return TableRead(_NOTHING, roles, refusal)
        reading = read_by_roles(with_names, roles, choices)
        return TableRead(replace(reading, recognised=(*notes, *reading.recognised)), reading.roles)
    except ParseError as error:
        return TableRead(_NOTHING, roles, error)


def may_share_ids(table: Table, choices: Choices) -> bool:
    """Return whether the topics of a table may be found by what several files have in common."""
    if any(plain(name) in TOPIC_WORDS for name in table.header.cells):
        return False
    return next(known for known in FORMATS if known.recognises(table, choices)) is HEADED
