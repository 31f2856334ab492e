"""Scores of systems that ran several times, and judge scores next to human labels: long tables, or several files.

A long table has columns for topic, system and score, and perhaps one for the repeat (``seed``, ``repeat``,
``trial``, ``sample``, ``fold``, ``variant`` and similar). Without that column, scores of one topic and system
are numbered in their order. A column named as groups, as ``conversation``, has the group of each topic. Several
files are one repeat each, whatever score format they have. Logs of evaluation
programs have repeats of their own: epochs of Inspect, repeated tests of promptfoo.

Labels have columns for topic, system, judge and human; the cell of human is empty without a label. Rows of one
topic and system are repeated calls of the judge. Two files are a table of judge scores (with repeats, or a
score matrix) and one of human scores, which may have fewer topics.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from topicset_core.collection.replicated_scores import Floats, PairedLabels, ReplicatedScores
from topicset_core.errors import ParseError
from topicset_core.parsing.choices import CellsRefused, Choices, Role, SeveralMeasures
from topicset_core.parsing.groups import GROUP_WORDS, MAY_BE_OTHER, groups_in
from topicset_core.parsing.limits import Budget
from topicset_core.parsing.names import source_of
from topicset_core.parsing.numerals import MISSING, Place, is_numeral, refuse_cell, value_of
from topicset_core.parsing.opening import only_table, open_file
from topicset_core.parsing.roles import Roles, roles_of
from topicset_core.parsing.scores.logs import Log, groups_of, is_log, log_of
from topicset_core.parsing.scores.score_files import ReadTable, read_scores
from topicset_core.parsing.scores.wide import headed
from topicset_core.parsing.table import (
    SCORE_WORDS,
    Table,
    plain,
    refuse_header_again,
    refuse_no_rows,
    refuse_odd_names,
    refuse_unequal_rows,
    unread,
)
from topicset_core.wording import counted, first_few, listed, quoted


def read_replicated(
    files: Sequence[tuple[str, bytes | str]], measure: str = "", choices: Choices | None = None
) -> ReplicatedScores:
    """Read scores with repeats from one long table, from a file per run with repeats, or from a file per repeat."""
    if not files:
        raise ParseError("files", None, "expected at least one file of scores")
    choices = choices or Choices()
    logs = _logs(files)
    if logs:
        return _from_logs(logs, measure)
    if len(files) == 1:
        return _from_tables(
            [_repeated(only_table(content, file), choices) for file, content in files], measure
        )
    runs = _runs_with_repeats(files, choices)
    return _from_tables(runs, measure) if runs else _from_files(files, measure, choices)


class _Repeated(NamedTuple):
    """A table with the roles of its columns."""

    table: Table
    roles: Roles


def _repeated(table: Table, choices: Choices, *, are_labels: bool = False) -> _Repeated:
    """Return a table of repeats, checked, and the role of each column."""
    refuse_no_rows(table)
    refuse_header_again(table)
    refuse_unequal_rows(table, table.body)
    roles, refusal = roles_of(headed(table) or table, choices, are_labels=are_labels)
    if refusal is not None:
        raise refusal
    return _Repeated(table, roles)


def _runs_with_repeats(files: Sequence[tuple[str, bytes | str]], choices: Choices) -> list[_Repeated]:
    """Return the tables of files of one run each that have several rows of a topic; else none."""
    results = []
    for file, content in files:
        opened = open_file(content, file)
        if len(opened.tables) != 1 or headed(opened.tables[0]) is None:
            return []
        table, roles = opened.tables[0], roles_of(opened.tables[0], choices).roles
        topic = roles.place("topic")
        if topic is None or roles.place("run") is not None or roles.of == "runs":
            return []
        topics = [row.cells[topic] for row in table.body]
        if len(set(topics)) == len(topics):
            return []
        results.append(_Repeated(table, roles))
    return results


def _logs(files: Sequence[tuple[str, bytes | str]]) -> list[tuple[Table, Log]]:
    """Return the logs in the files if all are logs, and some have repeats; else none."""
    beginnings = [content[:2] for _, content in files]
    if not all(
        beginning in (b"PK", "PK") or beginning[:1] in (b"{", "{", b"[", "[") for beginning in beginnings
    ):
        return []
    budget = Budget()
    tables = [table for file, content in files for table in open_file(content, file, budget).tables]
    if not tables or not all(is_log(table, Choices()) for table in tables):
        return []
    logs = [(table, log_of(table)) for table in tables]
    return logs if any(score.repeat != "1" for _, log in logs for score in log.scores) else []


def _from_logs(logs: Sequence[tuple[Table, Log]], measure: str) -> ReplicatedScores:
    """Read logs of one run each, or of several, with the repeats of their samples."""
    measures = list(dict.fromkeys(score.measure for _, log in logs for score in log.scores))
    if (measure or len(measures) > 1) and measure not in measures:
        expected = f"expected {quoted(measure) if measure else 'one measure'}, found {listed(measures, 20)}"
        raise SeveralMeasures(logs[0][0].file, tuple(measures), f"{expected}; choose a measure (--measure)")
    chosen = measure or measures[0]
    uses = Counter(log.run for _, log in logs)
    values: dict[tuple[str, str, str], float] = {}
    for table, log in logs:
        run = log.run if log.run and uses[log.run] == 1 else table.source.run
        for entry in log.scores:
            if entry.measure == chosen:
                key = entry.topic, entry.system if log.run is None else run, entry.repeat
                text = f"topic {quoted(key[0])}, run {quoted(key[1])}, repeat {quoted(key[2])}"
                if key in values:
                    table.refuse(None, f"expected each repeat once, found {text} again")
                if not is_numeral(entry.cell):
                    refuse_cell(entry.cell, Place(table.file, entry.line, text, log.unit))
                values[key] = value_of(entry.cell)
    groups = (pair for _, log in logs for pair in groups_of(log)[0].items())
    return _complete(values, chosen, logs[0][0].file, groups)


def _score_in(table: Table, line: int, cell: str) -> float:
    """Return the score in a cell."""
    if not is_numeral(cell):
        table.refuse(line, f"expected a number, found {quoted(cell)}")
    return value_of(cell)


def _from_tables(tables: Sequence[_Repeated], measure: str) -> ReplicatedScores:
    """Read tables with rows of one run each, or one table whose rows name their run."""
    values: dict[tuple[str, str, str], float] = {}
    groups: list[tuple[str, str]] = []
    named = measure
    for table, roles in tables:
        names, line = table.header.cells, table.header.line
        topic, run, repeat, group = (roles.place(role) for role in ("topic", "run", "repeat", "group"))
        if topic is None or (run is None and len(tables) == 1):
            lacks = [word for word, at in (("topic", topic), ("system", run)) if at is None]
            found = f"found none for {' and '.join(lacks)} in {listed(names)}"
            table.refuse(line, f"expected columns for topic, system and score, {found}")
        repeats = roles.left_out.get("repeats", [])
        if repeat is None and len(repeats) > 1:
            table.refuse(line, f"expected one column for the repeat, found {listed(repeats)}")
        scores = roles.places("scores")
        chosen = [at for at in scores if names[at] == measure] or list(scores)
        if len(chosen) != 1:
            table.refuse(line, f"expected one column of scores, found {listed(names)}; choose it (--measure)")
        named = measure or ("" if plain(names[chosen[0]]) in SCORE_WORDS else names[chosen[0]])
        refuse_odd_names(table, "measure", [named])
        for what, at in (("topic id", topic), ("system", run), ("repeat", repeat), ("group", group)):
            if at is not None:
                refuse_odd_names(table, what, [row.cells[at] for row in table.body])
        seen: Counter[tuple[str, str]] = Counter()
        for number, cells in table.body:
            key = cells[topic], table.source.run if run is None else cells[run]
            seen[key] += 1
            own = str(seen[key]) if repeat is None else cells[repeat]
            if not (all(key) and own):
                table.refuse(number, "expected a topic, a system and a repeat, found an empty cell")
            if (*key, own) in values:
                text = f"topic {quoted(key[0])}, system {quoted(key[1])}, repeat {quoted(own)}"
                table.refuse(number, f"expected each repeat once, found {text} again")
            values[*key, own] = _score_in(table, number, cells[chosen[0]])
        if group is not None:
            cells_of = ((number, cells[topic], cells[group]) for number, cells in table.body)
            groups += groups_in(table, cells_of, group).items()
    return _complete(values, named or "score", tables[0].table.file, groups)


def _from_files(files: Sequence[tuple[str, bytes | str]], measure: str, choices: Choices) -> ReplicatedScores:
    values: dict[tuple[str, str, str], float] = {}
    actual, groups = "", list[tuple[str, str]]()
    for file, content in files:
        try:
            matrices = read_scores(content, file, measure or None, choices).matrices
        except CellsRefused as error:
            # An estimate needs all cells, each once: there is nothing to choose.
            raise ParseError(error.file, error.line, error.without_choice) from None
        if len(matrices) != 1:
            named = first_few([matrix.measure for matrix in matrices], 3)
            raise ParseError(file, None, f"expected one measure, found {named}; keep one")
        (matrix,) = matrices
        actual = actual or matrix.measure
        repeat = source_of(file).stem
        groups += zip(matrix.topics, matrix.groups or (), strict=bool(matrix.groups))
        for topic, row in zip(matrix.topics, matrix.scores, strict=True):
            for system, score in zip(matrix.systems, row, strict=True):
                if (topic, system, repeat) in values:
                    raise ParseError(
                        file, None, f"expected a unique name for each file, found {quoted(repeat)} again"
                    )
                values[topic, system, repeat] = float(score)
    return _complete(values, measure or actual, files[0][0], groups)


def _complete(
    values: Mapping[tuple[str, str, str], float],
    measure: str,
    file: str,
    groups: Iterable[tuple[str, str]],
) -> ReplicatedScores:
    """Put scores into an array, with the groups of topics; refuse missing cells by name: an estimate needs all."""
    topics, systems, repeats = (tuple(dict.fromkeys(key[axis] for key in values)) for axis in range(3))
    missing = [
        f"{topic}, {system}, repeat {repeat}"
        for topic in topics
        for system in systems
        for repeat in repeats
        if (topic, system, repeat) not in values
    ]
    if missing:
        raise ParseError(
            file,
            None,
            "expected a score of each system on each topic in each repeat, missing "
            f"{counted(len(missing), 'cell')}: {listed(missing, 3)}",
        )
    if len(topics) < 2:
        raise ParseError(file, None, f"expected at least 2 topics, found {len(topics)}")
    group_of: dict[str, str] = {}
    for topic, group in groups:
        if group_of.setdefault(topic, group) != group:
            both = f"{quoted(group_of[topic])} and {quoted(group)}"
            raise ParseError(file, None, f"expected one group of topic {quoted(topic)}, found {both}")
    is_grouped = set(topics) <= group_of.keys() and 1 < len({group_of[topic] for topic in topics}) < len(
        topics
    )
    scores = np.array([[[values[t, s, r] for r in repeats] for s in systems] for t in topics])
    return ReplicatedScores(
        scores=scores,
        topics=topics,
        systems=systems,
        repeats=repeats,
        measure=measure,
        name=source_of(file).stem,
        groups=tuple(group_of[topic] for topic in topics) if is_grouped else None,
    )


_INDEPENDENT = ("Groups of topics are not taken into account: topics count as independent.",)


def read_labels(
    file: str,
    content: bytes | str,
    human: tuple[str, bytes | str] | None = None,
    choices: Choices | None = None,
) -> PairedLabels:
    """Read judge scores and human labels."""
    choices = choices or Choices()
    return _one_table(file, content, choices) if human is None else _two_files(file, content, human, choices)


def columns_of(
    files: Sequence[tuple[str, bytes | str]], choices: Choices, *, are_labels: bool = False
) -> tuple[ReadTable, ...]:
    """Return the roles of the columns of all tables with a header."""
    tables = [headed(table) for file, content in files for table in open_file(content, file).tables]
    return tuple(
        ReadTable(table.file, roles_of(table, choices, are_labels=are_labels).roles, len(table.body))
        for table in tables
        if table is not None and not is_log(table, choices)
    )


def _one_table(file: str, content: bytes | str, choices: Choices) -> PairedLabels:
    table, roles_found = _repeated(only_table(content, file), choices, are_labels=True)
    names: tuple[Role, ...] = ("topic", "run", "judge", "people")
    places = [roles_found.place(role) for role in names]
    missing = [
        word for word, at in zip(("topic", "system", "judge", "human"), places, strict=True) if at is None
    ]
    if missing or None in places:
        lacking = f"found none for {' and '.join(missing)} in {listed(table.header.cells)}"
        expected = f"expected columns for topic, system, judge and human, {lacking}"
        table.refuse(table.header.line, expected)
    roles = dict(zip(("topic", "system", "judge", "human"), (at or 0 for at in places), strict=True))
    for what, role in (("topic id", "topic"), ("system", "system")):
        refuse_odd_names(table, what, [cells[roles[role]] for _, cells in table.body])
    calls: dict[tuple[str, str], list[float]] = {}
    people: dict[tuple[str, str], float] = {}
    for line, cells in table.body:
        cell = cells[roles["topic"]], cells[roles["system"]]
        if not all(cell):
            table.refuse(line, "expected a topic and a system, found an empty cell")
        calls.setdefault(cell, []).append(_score_in(table, line, cells[roles["judge"]]))
        written = cells[roles["human"]]
        if written in MISSING:
            continue
        label = _score_in(table, line, written)
        if people.setdefault(cell, label) != label:
            text = f"topic {quoted(cell[0])}, system {quoted(cell[1])}"
            table.refuse(line, f"expected one human score for {text}, found {label:g} and {people[cell]:g}")
    topics, systems = (tuple(dict.fromkeys(cell[axis] for cell in calls)) for axis in range(2))
    n_calls = len(next(iter(calls.values())))
    for topic in topics:
        for system in systems:
            result = len(calls.get((topic, system), ()))
            if result != n_calls:
                table.refuse(
                    None,
                    f"expected {n_calls} judge scores of each system on each topic, found {result} of system "
                    f"{quoted(system)} on topic {quoted(topic)}",
                )
    judge = np.array([[calls[topic, system] for system in systems] for topic in topics])
    human = np.array([[people.get((topic, system), math.nan) for system in systems] for topic in topics])
    read = [*roles.values(), *roles_found.places("repeat")]
    others = {plain(cell) for at, cell in enumerate(table.header.cells) if at not in read}
    notes = unread(table, read) + _INDEPENDENT * bool(others & (GROUP_WORDS - MAY_BE_OTHER))
    return _labels(judge, human, topics, systems, file, notes)


def _two_files(
    file: str, content: bytes | str, human: tuple[str, bytes | str], choices: Choices
) -> PairedLabels:
    try:
        judged = read_replicated([(file, content)], choices=choices)
        topics, systems, judge, groups = judged.topics, judged.systems, judged.scores, judged.groups
    except ParseError:  # no long table: then it is a score matrix, or refused as one
        (matrix, *_) = read_scores(content, file, choices=choices).matrices
        topics, systems, judge, groups = (
            matrix.topics,
            matrix.systems,
            matrix.scores[:, :, None],
            matrix.groups,
        )
    (people, *_) = read_scores(human[1], human[0], choices=choices).matrices
    labels = np.full((len(topics), len(systems)), math.nan)
    for names, known, what in ((people.topics, topics, "topic"), (people.systems, systems, "system")):
        unknown = [name for name in names if name not in known]
        if unknown:
            raise ParseError(
                human[0], None, f"expected a {what} that the judge scored, found {listed(unknown)}"
            )
    for topic, row in zip(people.topics, people.scores, strict=True):
        for system, score in zip(people.systems, row, strict=True):
            labels[topics.index(topic), systems.index(system)] = score
    notes = _INDEPENDENT if groups or people.groups else ()
    return _labels(np.asarray(judge), labels, topics, systems, file, notes)


def _labels(
    judge: Floats,
    human: Floats,
    topics: tuple[str, ...],
    systems: tuple[str, ...],
    file: str,
    notes: tuple[str, ...],
) -> PairedLabels:
    if len(topics) < 2 or len(systems) < 2:
        actual = f"{len(topics)} and {len(systems)}"
        raise ParseError(file, None, f"expected at least 2 topics and 2 systems, found {actual}")
    name = source_of(file).stem
    return PairedLabels(judge=judge, human=human, topics=topics, systems=systems, name=name, notes=notes)
