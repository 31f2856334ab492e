"""Round trips of score tables: every shape and delimiter, a real matrix and any ids and scores."""

import csv
import io
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from tests.reference_data import reference_matrix
from tests.refusals import notes
from tests.variance.matrices import of
from tests.words import numbers_in
from topicset_core.collection import ScoreMatrix
from topicset_core.parsing import ReadScores, read_scores
from topicset_core.parsing.columns import COST_WORDS, COUNT_WORDS
from topicset_core.parsing.measure_names import is_evaluator_score, measure_name
from topicset_core.parsing.scores.entries import SUMMARY_WORDS
from topicset_core.parsing.table import REPEAT_WORDS, RUN_WORDS, SCORE_WORDS, TOPIC_WORDS

DELIMITERS = {"commas": ",", "tabs": "\t", "semicolons": ";", "spaces": "   "}


def wide(matrix: ScoreMatrix, delimiter: str, corner: str | None = "topic", ids: bool = True) -> str:
    """A wide table; without a corner as R writes it, or without ids altogether."""
    head = [corner] if corner is not None and ids else []
    lines = [[*head, *matrix.systems]]
    for topic, row in zip(matrix.topics, matrix.scores.tolist(), strict=True):
        lines.append([topic, *map(repr, row)] if ids else list(map(repr, row)))
    return "\n".join(delimiter.join(line) for line in lines) + "\n"


def long(matrix: ScoreMatrix, delimiter: str, names: dict[str, str], order: str = "tmrs") -> str:
    """A long table whose columns come in `order`; names without "m" leave the measure out."""
    columns = [letter for letter in order if letter in names]
    lines = [[names[letter] for letter in columns]]
    for topic, row in zip(matrix.topics, matrix.scores.tolist(), strict=True):
        for system, score in zip(matrix.systems, row, strict=True):
            cells = {"t": topic, "r": system, "s": repr(score), "m": matrix.measure}
            lines.append([cells[letter] for letter in columns])
    return "\n".join(delimiter.join(line) for line in lines) + "\n"


N_TOPICS, N_SYSTEMS = 50, 25


@pytest.fixture(scope="module")
def real() -> ScoreMatrix:
    """The first runs of a real matrix with numbers for topic ids and a run named 1."""
    return reference_matrix("trec8_adhoc_ap").taken(range(N_TOPICS), range(N_SYSTEMS))


def same(read: ReadScores, matrix: ScoreMatrix) -> bool:
    """Scores, ids, order and measure are the same; the digest is over all of them."""
    return [matrice.digest for matrice in read.matrices] == [matrix.digest]


@pytest.mark.reference_data
@pytest.mark.parametrize("called", DELIMITERS)
@pytest.mark.parametrize("corner", ["topic", "AP", "Topic ID", "qid", "ap_at_1000", "Web", "", None])
def test_wide_round_trip(real: ScoreMatrix, called: str, corner: str | None) -> None:
    """Without a corner as R's write.table does it: the header is one cell shorter."""
    quoted = f'"{corner}"' if called == "spaces" and " " in (corner or "") else corner
    read = read_scores(wide(real, DELIMITERS[called], quoted), "x.csv", "AP")
    assert same(read, real)
    assert not corner or any(repr(corner) in note for note in read.recognised)


@pytest.mark.reference_data
@pytest.mark.parametrize("called", DELIMITERS)
def test_wide_round_trip_without_topic_ids(real: ScoreMatrix, called: str) -> None:
    read = read_scores(wide(real, DELIMITERS[called], ids=False), "x.csv", "AP")
    numbered = replace(real, topics=tuple(map(str, range(1, N_TOPICS + 1))))
    assert same(read, numbered)


@pytest.mark.reference_data
@pytest.mark.parametrize("called", DELIMITERS)
@pytest.mark.parametrize(
    ("names", "order"),
    [
        ({"t": "topic", "r": "system", "s": "score"}, "trs"),
        ({"t": "query", "r": "run", "s": "value"}, "rts"),
        ({"t": "qid", "r": "run_id", "s": "Score"}, "srt"),
        ({"t": "Query_ID", "r": "tag", "s": "score", "m": "metric"}, "rtms"),
        ({"t": "topic_id", "r": "model", "s": "value", "m": "Measure"}, "mstr"),
    ],
)
def test_long_round_trip(real: ScoreMatrix, called: str, names: dict[str, str], order: str) -> None:
    read = read_scores(long(real, DELIMITERS[called], names, order), "x.csv", None if "m" in names else "AP")
    assert same(read, real)
    assert numbers_in(read.recognised[0]) == [N_TOPICS * N_SYSTEMS]
    assert re.findall(r"'([^']*)'", read.recognised[1]) == [names["t"], names["r"], names["s"]]


@pytest.mark.reference_data
@pytest.mark.parametrize("called", DELIMITERS)
def test_headerless_long_round_trip(real: ScoreMatrix, called: str) -> None:
    text = long(real, DELIMITERS[called], {"t": "", "r": "", "s": ""}, "trs").partition("\n")[2]
    read = read_scores(text, "x.csv", "AP")
    assert same(read, real)


@pytest.mark.reference_data
@pytest.mark.parametrize("called", ["semicolons", "tabs", "spaces"])
def test_decimal_commas_round_trip(real: ScoreMatrix, called: str) -> None:
    text = wide(real, DELIMITERS[called]).replace(".", ",")
    read = read_scores(text, "x.csv", "AP")
    systems = tuple(system.replace(".", ",") for system in real.systems)
    assert read.matrices[0].scores.tolist() == real.scores.tolist()
    assert read.matrices[0].systems == systems


SMALL = of([[0.5, 0.25], [0.125, 1.0]], topics=("401", "402"), systems="1b")
SPELLINGS = {
    **{called: wide(SMALL, mark) for called, mark in DELIMITERS.items()},
    "empty-corner": wide(SMALL, ",", ""),
    "no-corner": wide(SMALL, ",", None),
    "no-topic-ids": wide(SMALL, ",", ids=False),
    "long": long(SMALL, ",", {"t": "qid", "r": "run_id", "s": "Score"}, "srt"),
    "headless-long": long(SMALL, ",", {"t": "", "r": "", "s": ""}, "trs").partition("\n")[2],
    "decimal-commas": wide(SMALL, ";").replace(".", ","),
}


def test_notes_on_each_spelling(golden: SnapshotAssertion) -> None:
    read = {name: read_scores(text, "x.csv", "AP") for name, text in SPELLINGS.items()}
    assert all(np.array_equal(one.matrices[0].scores, SMALL.scores) for one in read.values())
    assert notes({name: one.recognised for name, one in read.items()}) == golden


IDS = st.text(
    st.characters(codec="utf-8", exclude_categories=("C", "Z"), exclude_characters="\ufffc"),
    min_size=1,
    max_size=8,
)  # no controls, no separators: those are what is cut off around a cell
SCORE = st.floats(-1e6, 1e6, allow_nan=False).map(lambda value: value + 0.0)


def is_no_word(name: str) -> bool:
    """Names of measures, summaries and columns describe the table and also name runs."""
    plainly = "".join(filter(str.isalnum, name.casefold()))
    words = SUMMARY_WORDS | TOPIC_WORDS | RUN_WORDS | SCORE_WORDS | COUNT_WORDS | COST_WORDS | REPEAT_WORDS
    has_a_role = plainly in words or name.casefold().startswith("num_")
    return not has_a_role and measure_name(name) is None and not is_evaluator_score(name)


@st.composite
def score_matrices(draw: st.DrawFn) -> ScoreMatrix:
    topics = draw(st.lists(IDS.filter(is_no_word), min_size=2, max_size=5, unique=True))
    systems = draw(st.lists(IDS.filter(is_no_word), min_size=1, max_size=5, unique=True))
    row = st.lists(SCORE, min_size=len(systems), max_size=len(systems))
    scores = draw(st.lists(row, min_size=len(topics), max_size=len(topics)))
    return of(scores, "any", topics=topics, systems=systems)


def test_a_single_run_whose_name_is_a_number() -> None:
    read = read_scores("topic,0.3\nfirst,0.1\nsecond,0.25\n", "x.csv", "AP")
    (matrix,) = read.matrices
    assert (matrix.topics, matrix.systems) == (("first", "second"), ("0.3",))
    assert matrix.scores.tolist() == [[0.1], [0.25]]


@settings(max_examples=60)
@given(
    matrix=score_matrices(),
    delimiter=st.sampled_from([",", "\t", ";", " "]),
    end=st.sampled_from(["\n", "\r\n"]),
)
def test_any_ids_and_scores_round_trip(matrix: ScoreMatrix, delimiter: str, end: str) -> None:
    """Written by the csv module, quotes and all; every double comes back bit for bit."""
    file = io.StringIO()
    writer = csv.writer(file, delimiter=delimiter, lineterminator=end, quoting=csv.QUOTE_ALL)
    writer.writerow(["topic", *matrix.systems])
    for topic, row in zip(matrix.topics, matrix.scores.tolist(), strict=True):
        writer.writerow([topic, *map(repr, row)])
    wide_again = read_scores(file.getvalue().encode(), "x.csv", "any")
    assert same(wide_again, matrix)
    file = io.StringIO()
    writer = csv.writer(file, delimiter=delimiter, lineterminator=end, quoting=csv.QUOTE_ALL)
    writer.writerow(["score", "topic", "system"])
    for topic, row in zip(matrix.topics, matrix.scores.tolist(), strict=True):
        writer.writerows(
            [repr(score), topic, system] for system, score in zip(matrix.systems, row, strict=True)
        )
    assert same(read_scores(file.getvalue(), "x.csv", "any"), matrix)
