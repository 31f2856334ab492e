"""Whatever comes in, bytes, text or junk in rows, is read or refused with a ParseError."""

import contextlib
import gzip
import json
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.parsing.packed import TABLE, trec_eval_output, workbook, zipped
from topicset_core.errors import ParseError
from topicset_core.parsing import Choices, ReadScores, read_score_files, read_scores
from topicset_core.parsing.opening import open_file
from topicset_core.parsing.scores.entries import Reading
from topicset_core.parsing.scores.formats import FORMATS
from topicset_core.parsing.scores.long import read_headerless_long, read_measure_rows
from topicset_core.parsing.scores.wide import read_plain_matrix

CELLS = st.sampled_from(
    [
        *("topic", "run", "score", "measure", "AP", "P@10", "A", "B", "all", "Q0", "#", "é", "a b"),
        *("1", "2", "401", "0.5", "0,5", "-1", "1e400", "nan", "inf", "1_0", "²"),
        *("", " ", '"', '"x"', "\u2028", "\x85", "\xa0"),
    ]
)
JUNK = st.lists(st.lists(CELLS, max_size=5), max_size=6).flatmap(
    lambda rows: st.tuples(
        st.sampled_from([",", ";", "\t", " ", "  ", ", "]), st.sampled_from(["\n", "\r\n", "\r"])
    ).map(lambda marks: marks[1].join(marks[0].join(row) for row in rows))
)


IDS = st.sampled_from(["A", "B", "C", "401", "402", "403", "é", "all", "1", "2"])
NUMBERS = st.sampled_from(["0.5", "0.25", "1", "0", "-1", ".75", "2e-1"])
HEADERS = [
    *(("topic A B", 1), ("run 401 402", 1), ("X A B", 1), ("A B C", 0), ("topic A", 1), ("401 402 403", 1)),
    *(("topic run score", 2), ("run topic score", 2), ("id f1 bleu", 1), ("runid topic AP", 2)),
    *(("", 0), ("", 1), ("", 2)),
]
"""Names of columns, and how many columns of ids come first."""


@st.composite
def tables(draw: st.DrawFn) -> str:
    """Rows of as many cells as the header has, first those of ids: many can be read."""
    header, n_ids = draw(st.sampled_from(HEADERS))
    names = header.split()
    n_numbers = (len(names) or draw(st.integers(n_ids + 1, 4))) - n_ids
    first = draw(st.lists(IDS, min_size=2, max_size=5, unique=True))
    second = draw(st.lists(IDS.filter(lambda name: name != "all"), min_size=1, max_size=3, unique=True))
    keys: dict[int, list[Any]] = {0: [()] * len(first), 1: list(zip(first)), 2: list(product(first, second))}
    rows = [[*key, *draw(st.tuples(*[NUMBERS] * n_numbers))] for key in keys[n_ids]]
    mark = draw(st.sampled_from([",", ";", "\t"]))
    return "\n".join(mark.join(row) for row in ([names] if names else []) + rows)


def read_or_refuse(content: bytes | str) -> ReadScores | None:
    """Anything but a result or a ParseError fails the test that calls this."""
    try:
        return read_scores(content, "any_ap.csv")
    except ParseError as error:
        refused = error
    text = content if isinstance(content, str) else content.decode("latin-1")
    assert refused.file == "any_ap.csv"
    assert refused.line is None or 1 <= refused.line <= text.count("\n") + text.count("\r") + 1
    return None


@given(st.binary(max_size=300))
@example(b"\xff\xfe")
@example(b"\xff\xfe\x00")
@example(b"\xef\xbb\xbf")
@example(b"PK\x03\x04")
def test_any_bytes(content: bytes) -> None:
    read_or_refuse(content)


@given(st.text(st.characters(), max_size=200))
@example('"')
@example("\ufeff")
@example("a" * 200_000 + ",b\n1,2\n3,4")  # beyond the csv module's limit for one cell
@example("topic,A\nt1," + "9" * 5000 + "\nt2,1")  # more digits than int takes
def test_any_text(content: str) -> None:
    read_or_refuse(content)


def reader_of(content: str) -> Callable[..., Reading]:
    """The function that reads tables of this shape."""
    (result,) = open_file(content, "any_ap.csv").tables
    return next(known.read for known in FORMATS if known.recognises(result, Choices()))


@settings(max_examples=120)
@given(JUNK | tables())
def test_structured_junk(content: str) -> None:
    """An accepted table has as many scores as the text has lines and cells for."""
    read = read_or_refuse(content)
    if read is None:
        return
    lines = [line for line in content.replace("\r\n", "\n").replace("\r", "\n").split("\n") if line.strip()]
    reader = reader_of(content)
    without_header = reader in (read_plain_matrix, read_headerless_long, read_measure_rows)
    # Rows of the summary all may be taken out; no other cell names a summary.
    n_summaries = sum("all" in line for line in lines)
    of = read.tables[0].roles.of if read.tables else ""
    n_rows = {len(lines) - (not without_header) - taken_out for taken_out in range(n_summaries + 1)}
    if of == "runs" or reader is read_plain_matrix:
        (matrix,) = read.matrices
        assert n_rows & {matrix.n_topics, matrix.n_systems}
    elif of == "measures":
        assert {matrix.scores.size for matrix in read.matrices} <= n_rows
    else:
        assert sum(matrix.scores.size for matrix in read.matrices) in n_rows
    assert read_or_refuse(content.encode()) == read


# ------------------------------------------------------------------------- files that are almost right


PACKED = {
    "x.xlsx": workbook({"AP": TABLE, "Notes": (("see", "the"), ("paper", 1))}),
    "x.zip": zipped({"A.eval": trec_eval_output("A", 0.1, 0.2), "w.csv": "topic,A\n1,1\n2,0"}),
    "x.gz": gzip.compress(trec_eval_output("A", 0.1, 0.2).encode()),
    "x.jsonl": b'{"id": 1, "f1": 0.5, "s": {"a": [1], "b": null}}\n{"id": 2, "f1": NaN, "t": "\\ud800"}\n',
    "x.eval": trec_eval_output("A", 0.1, 0.2).encode(),
}
CHOICES = st.builds(
    Choices,
    orientation=st.sampled_from(["auto", "topics-by-runs", "runs-by-topics"]),
    measure=st.sampled_from([None, "AP", "map", "x"]),
    missing=st.sampled_from(["refuse", "drop-topics", "drop-runs", "zero"]),
    repeats=st.sampled_from(["refuse", "average"]),
    columns=st.sampled_from([None, ("f1",), ("A", "B"), ("run",), ("score",)]),
)


def read_as_chosen(content: bytes | str, file: str, choices: Choices) -> None:
    """Anything but a result or a ParseError fails the test that calls this, and so does a warning."""
    read = read_score_files([(file, content)], choices)
    assert len(read.notes) == len(read.files) == len(read.matrices)
    for matrix in read.matrices:
        assert np.isfinite(matrix.scores).all()
    with contextlib.suppress(ParseError):
        read_scores(content, file, choices=choices)


@settings(max_examples=150)
@given(
    file=st.sampled_from(sorted(PACKED)),
    changes=st.lists(st.tuples(st.integers(0, 20_000), st.integers(0, 255)), max_size=4),
    cut=st.integers(0, 20_000),
    choices=CHOICES,
)
def test_files_with_some_bytes_changed_or_cut_off(
    file: str, changes: list[tuple[int, int]], cut: int, choices: Choices
) -> None:
    content = bytearray(PACKED[file])
    for place, byte in changes:
        content[place % len(content)] = byte
    end = cut if cut < len(content) else len(content)
    read_as_chosen(bytes(content[: end or None]), file, choices)


@settings(max_examples=150)
@given(content=JUNK | tables(), choices=CHOICES)
def test_structured_junk_with_any_choice(content: str, choices: Choices) -> None:
    read_as_chosen(content, "any", choices)


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(CELLS, inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=120)
@given(values=st.lists(JSON, max_size=4), end=st.sampled_from(["\n", ""]), choices=CHOICES)
def test_any_json(values: list[object], end: str, choices: Choices) -> None:
    read_as_chosen(end.join(map(json.dumps, values)), "any.jsonl", choices)
    read_as_chosen(json.dumps(values), "any.json", choices)


@pytest.mark.slow
@settings(max_examples=50)
@given(
    rows=st.lists(
        st.lists(
            CELLS
            | st.none()
            | st.floats(allow_nan=False, allow_infinity=False)
            | st.integers()
            | st.booleans(),
            max_size=4,
        ),
        max_size=5,
    ),
    choices=CHOICES,
)
def test_any_sheet(rows: list[list[object]], choices: Choices) -> None:
    read_as_chosen(workbook({"any": rows}), "any.xlsx", choices)
