"""Judge scores and human labels: a long table with a column of each, or a file of each.

One file has columns for topic, system, judge and human; the cell of human is empty without a label. Rows of
one topic and system are repeated calls of the judge. Two files are a table of judge scores (with repeats, or
a score matrix) and one of human scores, which may have fewer topics.
"""

import math

import numpy as np

from topicset_core.collection.paired_labels import PairedLabels
from topicset_core.errors import ParseError
from topicset_core.parsing.names import source_of
from topicset_core.parsing.numerals import MISSING
from topicset_core.parsing.scores.replicated import (
    columns_of,
    long_table,
    read_replicated,
    score_in,
)
from topicset_core.parsing.scores.score_files import read_scores
from topicset_core.parsing.table import REPEAT_WORDS, RUN_WORDS, TOPIC_WORDS, refuse_odd_names, words
from topicset_core.wording import listed, quoted

HUMAN_WORDS = words("human humans humanscore humanlabel person people gold expert reference manual annotator")
JUDGE_WORDS = words("judge judgescore llm llmscore llmjudge auto automatic predicted prediction autorater")
"""Names of the columns, as `plain` leaves them."""


def read_labels(
    file: str, content: bytes | str, human: tuple[str, bytes | str] | None = None
) -> PairedLabels:
    """Read judge scores and human labels."""
    return _one_table(file, content) if human is None else _two_files(file, content, human)


def _one_table(file: str, content: bytes | str) -> PairedLabels:
    table = long_table(file, content)
    roles = columns_of(
        table,
        {
            "topic": TOPIC_WORDS,
            "system": RUN_WORDS,
            "human": HUMAN_WORDS,
            "judge": JUDGE_WORDS,
            "call": REPEAT_WORDS,
        },
    )
    missing = [role for role in ("topic", "system", "judge", "human") if role not in roles]
    if missing:
        table.refuse(
            table.header.line,
            f"expected columns for topic, system, judge and human, found none for {' and '.join(missing)} in "
            f"{listed(table.header.cells)}",
        )
    for what, role in (("topic id", "topic"), ("system", "system")):
        refuse_odd_names(table, what, [cells[roles[role]] for _, cells in table.body])
    calls: dict[tuple[str, str], list[float]] = {}
    people: dict[tuple[str, str], float] = {}
    for line, cells in table.body:
        cell = cells[roles["topic"]], cells[roles["system"]]
        if not all(cell):
            table.refuse(line, "expected a topic and a system, found an empty cell")
        calls.setdefault(cell, []).append(score_in(table, line, cells[roles["judge"]]))
        written = cells[roles["human"]]
        if written in MISSING:
            continue
        label = score_in(table, line, written)
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
    return _labels(judge, human, topics, systems, file)


def _two_files(file: str, content: bytes | str, human: tuple[str, bytes | str]) -> PairedLabels:
    try:
        judged = read_replicated([(file, content)])
        topics, systems, judge = judged.topics, judged.systems, judged.scores
    except ParseError:  # no long table: then it is a score matrix, or refused as one
        (matrix, *_) = read_scores(content, file).matrices
        topics, systems, judge = matrix.topics, matrix.systems, matrix.scores[:, :, None]
    (people, *_) = read_scores(human[1], human[0]).matrices
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
    return _labels(np.asarray(judge), labels, topics, systems, file)


def _labels(
    judge: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
    human: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
    topics: tuple[str, ...],
    systems: tuple[str, ...],
    file: str,
) -> PairedLabels:
    if len(topics) < 2 or len(systems) < 2:
        actual = f"{len(topics)} and {len(systems)}"
        raise ParseError(file, None, f"expected at least 2 topics and 2 systems, found {actual}")
    return PairedLabels(judge=judge, human=human, topics=topics, systems=systems, name=source_of(file).stem)
