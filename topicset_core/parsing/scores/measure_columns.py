"""Tables whose columns are measures: one row per topic of one run, or one row per run and topic.

Evaluators of retrieval-augmented generation and language models write these files, one per run, with
texts next to the scores. They differ from a wide table in the names of their columns; JSON records name their
own cells.

gdeval.pl and ndeval of TREC's web track write ``runid,topic,`` and one column per measure, and end in a row
of means, ``amean``. Outputs of several runs are often put one after the other, each with its header; and a
risk-sensitive gdeval writes run names with commas in them and no quotation marks. Shapes by the sources of
gdeval.pl and ndeval.c (C. Clarke).
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from topicset_core.parsing.choices import Choices
from topicset_core.parsing.groups import GROUP_WORDS, group_columns
from topicset_core.parsing.limits import LONGEST_ID
from topicset_core.parsing.measure_names import is_evaluator_score, measure_name
from topicset_core.parsing.numerals import MISSING, is_numeral
from topicset_core.parsing.scores.entries import Columns, Entries, Reading, sort_rows, with_groups
from topicset_core.parsing.table import (
    ID_WORDS,
    RUN_WORDS,
    SCORE_WORDS,
    TEXT_WORDS,
    TOPIC_WORDS,
    Row,
    Table,
    plain,
    refuse_header_again,
    refuse_no_rows,
    refuse_unequal_rows,
)
from topicset_core.wording import counted, listed, quoted

COUNT_WORDS = frozenset(("numret", "numrel", "numrelret", "numq", "ret", "rel"))

IDS = (*sorted(TOPIC_WORDS - {"query", "queries", "question"}), "id", "sampleid", "exampleid", "docid")
TEXTS = ("query", "queries", "question", "userinput", "input", "prompt")
TOPIC_COLUMNS = (*IDS, *TEXTS, *sorted(ID_WORDS - {"id"}))
"""Columns that identify topics, as `plain` leaves them: ids first, then the question, then a bare count."""


OTHER_IDS = frozenset((*IDS, *ID_WORDS)) | RUN_WORDS
"""Columns that number or name rows: next to the best column of topics they are no scores."""


class _Roles(NamedTuple):
    """The columns of ids, of scores and of groups, and notes on the other columns."""

    topic: int | None
    system: int | None
    scores: tuple[int, ...]
    groups: tuple[int, ...]
    notes: tuple[str, ...]


class _Column(NamedTuple):
    """The numbers of cells of a column with numbers and with text."""

    numbers: int
    texts: int


def has_measure_columns(table: Table, choices: Choices) -> bool:
    """Return whether the columns are measures, by their names and by whether there are texts."""
    names = table.header.cells
    if choices.columns is not None:
        return True
    if not table.body or any(map(is_numeral, names)) or any(len(r.cells) != len(names) for r in table.body):
        return table.is_records
    topic, system = _topic_column(names), _first(names, RUN_WORDS)
    if table.is_records or (topic is not None and plain(names[topic]) in TOPIC_WORDS and system is not None):
        return True
    if topic is None or system is not None:
        return False
    besides = {topic, *(column for column, name in enumerate(names) if plain(name) in GROUP_WORDS)}
    others = [name for column, name in enumerate(names) if column not in besides]
    if not any(map(_is_known, others)):
        return False
    kinds = _kinds(table)
    numeric = [name for column, name in enumerate(names) if column not in besides and kinds[column].numbers]
    known = [name for name in numeric if _is_known(name)]
    if len(others) == 1 and plain(others[0]) in SCORE_WORDS:
        return True
    # Exports of this project have a column "group" next to runs, whatever their names.
    has_texts = any(
        kind.texts and not kind.numbers
        for c, (name, kind) in enumerate(zip(names, kinds, strict=True))
        if c != topic and plain(name) != "group"
    )
    # A run may be called AP by mistake, but hardly ndcg_cut_10 or faithfulness.
    beyond_doubt = any(is_evaluator_score(name) or "@" in name or "cut" in name for name in known)
    return bool(known) and (has_texts or beyond_doubt or _are_all_measures(others))


def read_measure_columns(table: Table, choices: Choices) -> Reading:
    """Read a table whose columns are measures."""
    refuse_unequal_rows(table, table.body)
    refuse_header_again(table)
    refuse_no_rows(table)
    roles = _roles(table, choices)
    _refuse_same_names(table, roles)
    names = table.header.cells
    body = table.body
    notes = []
    if roles.topic is None:
        # A column of numbers is put behind the others; no place of a score is moved by it.
        numbered = [Row(row.line, [*row.cells, str(n)]) for n, row in enumerate(body, start=1)]
        table = replace(table, rows=[Row(table.header.line, [*names, ""]), *numbered])
        body = table.body
        notes.append(
            f"There is no column of topic ids: topics are numbered 1 to {len(body)}, in their order."
        )
    else:
        notes.append(
            f"Topics come from the column {quoted(names[roles.topic]) if names[roles.topic] else '1'}."
        )
    if roles.system is not None:
        notes.append(f"Runs come from the column {quoted(names[roles.system])}.")
    topic = len(names) if roles.topic is None else roles.topic
    tables: list[Entries] = []
    taken_out: tuple[str, ...] = ()
    for column in roles.scores:
        bare = len(roles.scores) == 1 and plain(names[column]) in SCORE_WORDS
        called = None if bare else names[column] or f"column {column + 1}"
        of_column, taken_out = sort_rows(table, body, Columns(topic, roles.system, column, None), called)
        tables += of_column
    if not tables:
        table.refuse(None, "expected scores of single topics, found only summary rows")
    if choices.columns is None and not any(map(_is_known, (names[column] for column in roles.scores))):
        notes.append(
            "None of these is the name of a known measure: if they are runs, choose the orientation."
        )
    measures = listed([names[column] for column in roles.scores], 20)
    rows = counted(len(tables[0].values), "row")
    of_runs = "of one run" if roles.system is None else "of a run and a topic each"
    reading = Reading(
        tables=tuple(tables),
        recognised=(
            f"A table of {rows} {of_runs}, whose columns are measures: {measures}.",
            *notes,
            *roles.notes,
            *taken_out,
        ),
        measure_source="the names of the columns",
        one_run=roles.system is None,
    )
    return with_groups(reading, table, roles.groups, ((row, row.cells[topic]) for row in body))


def _refuse_same_names(table: Table, roles: _Roles) -> None:
    names = table.header.cells
    first: dict[str, int] = {}
    for column in roles.scores:
        if first.setdefault(names[column], column) != column:
            line = table.header.line
            both = f"{table.at(line, first[names[column]])} and {table.at(line, column)}"
            table.refuse(line, f"expected each column once, found {quoted(names[column])} in {both}")


def _is_known(name: str) -> bool:
    return measure_name(name) is not None or is_evaluator_score(name) or plain(name) in SCORE_WORDS


def _first(names: Sequence[str], words: frozenset[str]) -> int | None:
    return next((column for column, name in enumerate(names) if plain(name) in words), None)


def _topic_column(names: Sequence[str]) -> int | None:
    """Find the column that identifies topics best."""
    spelt = [plain(name) for name in names]
    return next((spelt.index(word) for word in TOPIC_COLUMNS if word in spelt), None)


def _are_all_measures(names: Sequence[str]) -> bool:
    # Runs may be called p1, p2, p3, which also are spellings of P@1, P@2, P@3.
    kinds = {(measure_name(name) or "").partition("@")[0] for name in names}
    bare = len(names) == 1 and not any(character.isdigit() for character in names[0])
    return "" not in kinds and (len(kinds) > 1 or bare)


def _kinds(table: Table) -> list[_Column]:
    results = []
    for cells in zip(*(row.cells for row in table.body), strict=True):
        counts = Counter(cells)  # ids, and scores with few digits, are repeated
        numbers = sum(count for cell, count in counts.items() if is_numeral(cell))
        results.append(_Column(numbers, len(cells) - numbers - sum(counts[cell] for cell in MISSING)))
    return results


def _refuse_runs(table: Table, chosen: Sequence[int], others: Sequence[int]) -> None:
    """Refuse columns of runs, chosen for measures of one: all columns contain numbers, and no name is a measure."""
    names, kinds = table.header.cells, _kinds(table)
    are_scores = all(kinds[column].numbers and not kinds[column].texts for column in others)
    if table.is_records or not others or not are_scores or any(map(_is_known, names)):
        return
    if not any(plain(names[column]) in OTHER_IDS | COUNT_WORDS for column in others):
        actual = listed([names[column] for column in chosen])
        table.refuse(
            table.header.line,
            f"expected names of measures for the chosen columns, found {actual}, next to other columns of numbers: "
            "these are probably runs; import all columns, then select runs",
        )


def _roles(table: Table, choices: Choices) -> _Roles:
    names = table.header.cells
    topic, system = _topic_column(names), _first(names, RUN_WORDS)
    ids = {topic, system}
    if choices.columns is not None:
        unknown = [name for name in choices.columns if name not in names]
        if unknown:
            table.refuse(
                table.header.line,
                f"expected the chosen {'column' if len(unknown) == 1 else 'columns'} {listed(unknown)}, found the "
                f"columns {listed(names, 20)}",
            )
        chosen = tuple(dict.fromkeys(names.index(name) for name in choices.columns))
        topic = None if topic in chosen else topic
        system = None if system in chosen else system
        besides = {one for one in (*chosen, topic, system) if one is not None}
        groups = group_columns(table, topic, besides)
        others = [column for column in range(len(names)) if column not in besides.union(groups)]
        _refuse_runs(table, chosen, others)
        out = [names[column] for column in others]
        notes = (f"Columns left out because they were not chosen: {listed(out, 20)}.",) if out else ()
        return _Roles(topic, system, chosen, groups, notes)
    kinds = _kinds(table)
    groups = group_columns(table, topic, () if system is None else (system,))
    scores, texts, counts, empty, other_ids = [], [], [], [], []
    for column, (name, kind) in enumerate(zip(names, kinds, strict=True)):
        if column in ids or column in groups:
            continue
        if plain(name) in OTHER_IDS:
            other_ids.append(name)
        elif plain(name) in COUNT_WORDS or name.startswith("num_"):
            counts.append(name)
        elif not kind.numbers and not kind.texts:
            empty.append(name)
        elif kind.texts > kind.numbers:
            some = f" (though {counted(kind.numbers, 'cell')} can be read as numbers)"
            texts.append(quoted(name) + (some if kind.numbers else ""))
        else:
            scores.append(column)
    if not scores:
        expected = f"expected a column of scores, found {listed(names, 20)}, without numbers"
        table.refuse(table.header.line, expected)
    left_out = {
        "text": ", ".join(texts),
        "ids": listed(other_ids, 20),
        "counts, not measures": listed(counts, 20),
        "empty": listed(empty, 20),
    }
    sentences = tuple(f"Columns left out ({why}): {names}." for why, names in left_out.items() if names)
    return _Roles(topic, system, tuple(scores), groups, sentences)


def is_ragas(table: Table, choices: Choices) -> bool:
    """Return whether the columns are those of samples of ragas, and scores."""
    names = set(map(plain, table.header.cells))
    known = {"userinput", "response"} <= names or {"userinput", "retrievedcontexts"} <= names
    return choices.columns is None and (known or {"question", "answer", "contexts"} <= names)


def read_ragas(table: Table, choices: Choices) -> Reading:
    """Read samples of ragas: the question is the topic, unless one is too long for an id, or a conversation."""
    refuse_unequal_rows(table, table.body)
    names = list(map(plain, table.header.cells))
    topic = names.index("userinput" if "userinput" in names else "question")
    questions = [row.cells[topic] for row in table.body]
    are_ids = all(one and not one.startswith("[") and len(one.encode()) <= LONGEST_ID for one in questions)
    kept = [
        c for c, name in enumerate(names) if name not in TEXT_WORDS | {"question"} or (c == topic and are_ids)
    ]
    if not any(c != topic for c in kept):
        table.refuse(table.header.line, "expected columns of scores next to the texts of ragas, found none")
    rows = [Row(line, [" ".join(cells[c].split()) for c in kept]) for line, cells in table.rows]
    out = [table.header.cells[c] for c in range(len(names)) if c not in kept]
    at = table.at
    table = replace(table, rows=rows, at=lambda line, column: at(line, kept[column]))
    reading = read_measure_columns(table, choices)
    notes = ["Results of ragas.", f"Columns of texts left out: {listed(out, 20)}."]
    return replace(reading, recognised=(*notes, *reading.recognised))


WEB_HEADER = ("runid", "topic")
GDEVAL = re.compile(r"(?:ndcg|err)@\d+", re.ASCII)
NDEVAL = re.compile(r"(?:n?ERR-IA|alpha-n?DCG|P-IA|strec)@\d+|n?NRBP|MAP-IA", re.ASCII)
RELATIVE = re.compile(r".+ \(rel to\. .+\)")
"""Name of a run in a risk-sensitive gdeval: A (rel to. B, rs=1+a, a=1)."""


def is_web_track(table: Table, choices: Choices) -> bool:
    """Return whether columns are runid, topic, and measures that gdeval or ndeval write."""
    first, *measures = table.header.cells[1:] or [""]
    return (
        not table.is_records
        and choices.columns is None
        and (plain(table.header.cells[0]), plain(first)) == WEB_HEADER
        and bool(measures)
        and (all(map(GDEVAL.fullmatch, measures)) or any(map(NDEVAL.fullmatch, measures)))
    )


def read_web_track(table: Table, choices: Choices) -> Reading:
    """Read the scores of one run or of several, each under its header."""
    rows = [_whole(row, len(table.header.cells)) for row in table.body]
    headers = [row for row in rows if row.cells == table.header.cells]
    other = next((row for row in rows if _is_header(row.cells) and row not in headers), None)
    if other is not None:
        table.refuse(
            other.line,
            f"expected the header of line {table.header.line} again, found {quoted(','.join(other.cells))}; save "
            "outputs of other measures or depths to separate files",
        )
    rows = [row for row in rows if not _is_header(row.cells)]
    reading = read_measure_columns(replace(table, rows=[table.header, *rows]), choices)
    relative = dict.fromkeys(row.cells[0] for row in rows if RELATIVE.fullmatch(row.cells[0]))
    notes = ["Columns as ndeval writes them, of diversity evaluation; grades within an intent do not count."]
    measures = table.header.cells[2:]
    if all(map(GDEVAL.fullmatch, measures)):
        names = listed([measure_name(one) or one for one in measures])
        gains = "nDCG with gains 2^grade - 1, ERR with 4 for the highest grade"
        notes = [f"Columns as gdeval.pl writes them, {names}: {gains}."]
    if headers:
        notes.append(f"{counted(len(headers), 'line')} with a repeated header ignored.")
    if relative:
        notes.append(
            f"Risk-sensitive scores, differences from a baseline and not scores: {listed(list(relative))}."
        )
    return replace(reading, recognised=(*notes, *reading.recognised))


def _is_header(cells: Sequence[str]) -> bool:
    return tuple(map(plain, cells[:2])) == WEB_HEADER


def _whole(row: Row, width: int) -> Row:
    """Put the name of a run together that commas have cut."""
    more = len(row.cells) - width
    name = ", ".join(row.cells[: more + 1])
    return Row(row.line, [name, *row.cells[more + 1 :]]) if more > 0 and RELATIVE.fullmatch(name) else row
