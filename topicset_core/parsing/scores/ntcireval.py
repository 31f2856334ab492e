"""Outputs of NTCIREVAL (ntcir_eval, C) and of its Python port pyNTCIREVAL: one line per measure and topic.

A line is ``0001 MSnDCG@0010=         0.2900``: the topic, where ``-out`` was given, then the measure and
its value; lines with # describe the topic. A ``nev`` file contains all topics of one run. Shapes by the
sources and the README files of NTCIREVAL version 190111 (NII) and pyNTCIREVAL 0.0.3.

In diversity evaluation (``Dnev``, ``DINnev``) lines of intents follow the others, which come from global
gains: by NTCIREVAL's README.diversity, D-Q and D-nDCG "are printed as" Q and MSnDCG. Papers call them by
their own names, and so are they called here.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import NamedTuple

from topicset_core.parsing.choices import Choices
from topicset_core.parsing.measure_names import measure_name
from topicset_core.parsing.names import source_of
from topicset_core.parsing.numerals import is_numeral, is_whole
from topicset_core.parsing.scores.entries import Columns, Reading, sort_rows
from topicset_core.parsing.scores.long import shapes
from topicset_core.parsing.table import TOPIC_ID, Row, Table
from topicset_core.wording import counted, listed, quoted

MEASURE = re.compile(
    r"(?P<name>[A-Za-z][A-Za-z_,#-]*[A-Za-z\d](?:@(?:\d+|n))?|[PQ]@\d+)=(?P<value>\S*)", re.ASCII
)
N_SCANNED = 40
"""Lines that identify the format; once it is identified, other lines are refused with their number."""

COVERED = "SUMp"
"""In files of intent-aware measures: the sum of the intents' probabilities, written before a measure."""


class _Line(NamedTuple):
    """Contents of one line: words before the measure, and the measure; empty in a line with #."""

    line: int
    prefix: tuple[str, ...]
    measure: str
    value: str


class _ScoreRows(NamedTuple):
    """Scores with their topics, ids that precede them, and omitted lines."""

    rows: list[Row]
    topics: list[str]
    has_ids: bool
    n_intents: int


def is_ntcireval(table: Table, _: Choices) -> bool:
    """Return whether the first line is one of NTCIREVAL's, and most of those after it."""
    if table.is_records or not _fits(table.header):
        return False
    first = table.rows[:N_SCANNED]
    fitting = [row for row in first if _fits(row)]
    return 2 * len(fitting) > len(first) and any(not _is_remark(row.cells) for row in fitting)


def read_ntcireval(table: Table, _: Choices) -> Reading:
    """Read the scores of one run on all topics of the file, or on one."""
    result = _scores(table)
    topic_file = not result.has_ids and len(result.topics) == 1
    run_name = ""
    if topic_file:
        topic, run_name = _named_by_file(table.file)
        result = result._replace(rows=[Row(line, [topic, *cells[1:]]) for line, cells in result.rows])
    by_topic = replace(table, rows=result.rows)
    tables, taken_out = sort_rows(by_topic, result.rows, Columns(topic=0, system=None, score=2, measure=1))
    spellings = [entries.measure or "" for entries in tables]
    family = family_of(table, spellings)
    n_scores = sum(len(entries.values) for entries in tables)
    notes = [
        f"Lines of one measure each, as NTCIREVAL and pyNTCIREVAL write them: {counted(n_scores, 'score')}."
    ]
    if topic_file:
        notes.append(
            "Lines name no topic: topic and run come from the name of the file, as in 0001.runA.nev."
        )
    elif not result.has_ids:
        notes.append(f"Lines name no topic: topics are numbered 1 to {len(result.topics)}, in their order.")
    if result.n_intents:
        notes.append(f"{counted(result.n_intents, 'line')} of single intents left out.")
    return Reading(
        tables=tables,
        recognised=(
            *notes,
            *taken_out,
            *_on_topics_without_scores(result),
            *shapes(tables),
            *on_measures(spellings, family),
        ),
        measure_source="the lines",
        one_run=True,
        run_name=run_name,
        part_of_run=topic_file,
        names={spelling: called(spelling, family) for spelling in spellings},
    )


def _is_remark(cells: Sequence[str]) -> bool:
    return any(cell.startswith("#") for cell in cells[:4])


def _fits(row: Row) -> bool:
    if _is_remark(row.cells):
        return True
    place, match = _measure(row.cells)
    rest = row.cells[place + 1 :]
    return match is not None and (len(rest) == (not match["value"]) or match["name"] == COVERED)


def _measure(cells: Sequence[str]) -> tuple[int, re.Match[str] | None]:
    """Find the first cell with a measure, before the sign that precedes its value."""
    for place, cell in enumerate(cells[:4]):
        match = MEASURE.fullmatch(cell)
        if match:
            return place, match
    return 0, None


def _lines(table: Table, *, covered_before: bool = False) -> Iterator[_Line]:
    for row in table.rows:
        line, cells = row
        if _is_remark(cells):
            at = next(place for place, cell in enumerate(cells) if cell.startswith("#"))
            # First line of a new topic; r1 and rp, gains and intents follow.
            begins = any(cell.startswith("syslen=") for cell in cells[at:])
            yield _Line(line, tuple(cells[:at]), "" if begins else "#", "")
            continue
        place, match = _measure(cells)
        once_too_often = match is not None and match["name"] == COVERED and covered_before
        if match is None or not _fits(row) or once_too_often:
            table.refuse(
                line,
                "expected a measure, = and its value, as in '0001 AP= 0.0919', found "
                f"{quoted(' '.join(cells))}",
            )
        prefix = tuple(cells[:place])
        if match["name"] == COVERED:
            covered = [*cells[place + 1 :]] if match["value"] else [*cells[place + 2 :]]
            rest = replace(table, rows=[Row(line, [*prefix, *covered])])
            yield from _lines(rest, covered_before=True)
            continue
        yield _Line(line, prefix, match["name"], match["value"] or cells[place + 1])


def _scores(table: Table) -> _ScoreRows:
    """Go through the lines; a topic that only its remark names gets empty scores."""
    rows: list[Row] = []
    begun: dict[str, int] = {}
    topics: dict[str, int] = {}
    of_block: set[str] = set()
    has_ids: bool | None = None
    n_intents = 0
    for line, prefix, measure, value in _lines(table):
        if len(prefix) == 3 and is_whole(prefix[1]) and is_numeral(prefix[2]):
            n_intents += measure not in ("", "#")
            continue
        if measure == "#":
            continue
        if len(prefix) > 1:
            table.refuse(
                line,
                f"expected a topic id and nothing else before the measure, found {quoted(' '.join(prefix))}",
            )
        has_ids = bool(prefix) if has_ids is None else has_ids
        if has_ids != bool(prefix):
            actual = f"{quoted(prefix[0])} before it" if prefix else "none"
            expected = f"expected a topic id before {'every' if has_ids else 'no'} measure, found {actual}"
            table.refuse(line, expected)
        if prefix:
            topic = prefix[0]
        else:
            is_new = not topics or not measure or measure in of_block
            topic = str(len(topics) + is_new)
            of_block = set() if is_new else of_block
        if not measure:
            if topic in begun:
                table.refuse(
                    line,
                    f"expected the output for one run, found topic {quoted(topic)} again, which begins on line "
                    f"{begun[topic]:,} already; save each run to a separate file",
                )
            begun[topic] = line
        topics.setdefault(topic, line)
        if measure:
            of_block.add(measure)
            rows.append(Row(line, [topic, measure, value]))
    measures = dict.fromkeys(row.cells[1] for row in rows)
    with_scores = {row.cells[0] for row in rows}
    rows += [Row(at, [t, m, ""]) for t, at in topics.items() if t not in with_scores for m in measures]
    order = {topic: place for place, topic in enumerate(topics)}
    rows.sort(key=lambda row: order[row.cells[0]])
    if not rows:
        table.refuse(None, "expected scores by measures, found only lines of single intents")
    return _ScoreRows(rows, list(topics), bool(has_ids), n_intents)


def _named_by_file(file: str) -> tuple[str, str]:
    """Take topic and run from a path such as 0001.runA.nev, runA/0001.nev or runA.0001.nev."""
    *folders, base = file.replace("\\", "/").split("/")
    parts = source_of(base).run.split(".")
    last = len(parts) > 1 and TOPIC_ID.fullmatch(parts[-1]) and not TOPIC_ID.fullmatch(parts[0])
    topic = parts.pop(-1 if last else 0)
    above = [folder for folder in folders if folder != topic]
    return topic, ".".join(parts) or (PurePosixPath(above[-1]).stem if above else "run")


def _on_topics_without_scores(result: _ScoreRows) -> Iterator[str]:
    without = dict.fromkeys(row.cells[0] for row in result.rows if not row.cells[2])
    if without:
        yield (
            f"No score follows the first line of {counted(len(without), 'topic')}: {listed(list(without))}. "
            "pyNTCIREVAL stops there where a run retrieved no relevant document; then all scores are 0."
        )


PADDED = re.compile(r"@0*(?=\d)")
# README of NTCIREVAL, 3.2: "nDCG (original nDCG)", "MSnDCG (Microsoft version of nDCG)".
ORIGINAL = "original nDCG"
PORT = {
    "OMeasure": "O-measure",
    "PMeasure": "P-measure",
    "PPlusMeasure": "P-plus",
    "NCUguP": "NCUgu,P",
    "NCUguBR": "NCUgu,BR",
    "NCUrbP": "NCUrb,P",
    "NCUrbBR": "NCUrb,BR",
}
"""Names of measures in pyNTCIREVAL, by its classes, and in NTCIREVAL by the papers."""


def family_of(table: Table, spellings: Sequence[str]) -> str:
    """Return what goes before the measures of diversity evaluation; nothing where there are no intents."""
    if not any(cell.startswith(("#intent_num", "I-rec@")) for row in table.rows for cell in row.cells[:2]):
        return ""
    return "DIN" if any(spelling.startswith("DIN#") for spelling in spellings) else "D"


def called(spelling: str, family: str) -> str:
    """Return the project's name of a measure, with its family and its cutoff without zeros."""
    name = PADDED.sub("@", spelling)
    base, at, cutoff = name.partition("@")
    base = PORT.get(base, base)
    if family and not base.startswith(("I-rec", "IA-", f"{family}#", f"{family}-")):
        base = {"nDCG": ORIGINAL, "MSnDCG": "nDCG"}.get(base, base)
        base = f"{family}-{measure_name(base) or base}"
    elif base == "nDCG":
        base = ORIGINAL
    name = f"{base}{at}{cutoff}"
    return measure_name(name) or name


def on_measures(spellings: Sequence[str], family: str) -> Iterator[str]:
    """Return notes on measures of NTCIREVAL that differ from others of the same name."""
    bases = [spelling.partition("@")[0] for spelling in spellings]
    if family:
        yield (
            "There are lines of intents, so these are measures of diversity evaluation, by global gains: MSnDCG "
            f"is called {family}-nDCG here, Q is called {family}-Q, and so on."
        )
    elif "nDCG" in bases:
        yield (
            f"'nDCG' is that of Järvelin and Kekäläinen (2002), called {ORIGINAL!r} here; 'MSnDCG' is what "
            "trec_eval and others call nDCG."
        )
    if any(spelling.startswith(("AP@", "Q@", "QMeasure@")) for spelling in spellings):
        yield "AP and Q with a cutoff k are divided by min(k, relevant documents), map_cut of trec_eval by all."
