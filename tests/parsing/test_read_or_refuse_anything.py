"""Whatever comes in, bytes, text or junk in rows, is read or refused with a ParseError."""

import re

from hypothesis import example, given, settings
from hypothesis import strategies as st

from topicset_core.errors import ParseError
from topicset_core.parsing import ReadScores, read_scores

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


@settings(max_examples=500)
@given(JUNK)
def test_structured_junk(content: str) -> None:
    """What is read has as many scores as the text has lines and cells for."""
    read = read_or_refuse(content)
    if read is None:
        return
    lines = [line for line in content.replace("\r\n", "\n").replace("\r", "\n").split("\n") if line.strip()]
    said = " ".join(read.recognised)
    has_header = "There is no header row" not in said and not said.startswith("Rows of")
    summaries = re.search(r"(\d+) summary rows? taken out", said)
    n_rows = len(lines) - has_header - (int(summaries[1]) if summaries else 0)
    if said.startswith("A wide table"):
        (matrix,) = read.matrices
        rows_are_runs = re.match(r"A wide table of [\d,]+ runs? \(rows\)", said)
        assert n_rows == (matrix.n_systems if rows_are_runs else matrix.n_topics)
    elif said.startswith("A table of"):  # columns of measures
        assert all(matrix.scores.size == n_rows for matrix in read.matrices)
    elif "Left out (" not in said:
        assert sum(matrix.scores.size for matrix in read.matrices) == n_rows
    assert read_or_refuse(content.encode()) == read
