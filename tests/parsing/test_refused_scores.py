"""What is not a table of scores: each refusal with its file, line and text, and nothing but refusals."""

import gzip
import io
import zipfile

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from topicset_core.errors import ParseError
from topicset_core.parsing import ReadScores, read_scores

HEADER = (
    "expected a header row: 'topic' and the runs in a wide table, 'topic', 'run' and 'score' in a long one; "
    "found the number "
)


def zipped(*members: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for member in members:
            archive.writestr(member, "x" * 100)
    return file.getvalue()


FILES = [
    ("", None, "expected a table of scores, found an empty file"),
    (b"", None, "expected a table of scores, found an empty file"),
    (b"\xef\xbb\xbf\r\n \t \n", None, "expected a table of scores, found an empty file"),
    (gzip.compress(b"topic,A"), None, "is a gzip archive, expected text such as CSV"),
    (zipped("scores.csv"), None, "is a zip archive, expected text such as CSV"),
    (
        zipped("[Content_Types].xml", "xl/workbook.xml"),
        None,
        "is an Excel workbook (xlsx), expected text such as CSV",
    ),
    (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 ...",
        None,
        "is an old Excel workbook or another Office file, expected text such as CSV",
    ),
    (b"%PDF-1.7\n%\xe2", None, "is a PDF document, expected text such as CSV"),
    (
        b"topic,A\r\nt1,0.5\r\ncaf\xe9,1\r\n",
        3,
        "expected UTF-8 text, found the byte 0xE9 that does not belong there; save the file as UTF-8 text",
    ),
    (
        "a\nb".encode("utf-16") + b"\x00",
        2,
        "expected UTF-16 text, found the byte 0x00 that does not belong there; save the file as UTF-8 text",
    ),
    (
        "topic,A\nt1,0.5\nt2,1\n".encode("utf-16-le"),
        1,
        "expected text, found the character U+0000: this looks like a binary file",
    ),
    (
        "topic,A\nt1,\x1b[31m0.5",
        2,
        "expected text, found the character U+001B: this looks like a binary file",
    ),
    ("topic,A\n\ud800,1", 2, "expected text, found the character U+D800: this looks like a binary file"),
]

WIDE = [
    ("topic,A,B\n", 1, "expected rows of scores below the header, found none"),
    (
        "\n\ntopic",
        3,
        "expected run names beside 'topic', found one cell; cells can be separated by tabs, "
        "semicolons, commas or spaces",
    ),
    ("topic,A,B\nt1,0.5,0.2\n", None, "expected at least 2 topics, found only 't1'"),
    (
        "topic,A,B\nt1,0.5,0.2\n\nt2,0.5,n/a\n",
        4,
        "topic 't2', run 'B', column 3: expected a number, found 'n/a'",
    ),
    ("A,B\n0.5,0.2\n0.5,n/a\n", 3, "topic '2', run 'B', column 2: expected a number, found 'n/a'"),
    ("A B\nt1 0.5 0.2\nt2 x 1\n", 3, "topic 't2', run 'A', column 2: expected a number, found 'x'"),
    ("topic,A\nt1,0.5\nt2,NaN", 3, "topic 't2', run 'A', column 2: expected a finite number, found 'NaN'"),
    ("topic,A\nt1,-inf\nt2,1", 2, "topic 't1', run 'A', column 2: expected a finite number, found '-inf'"),
    (
        "topic,A\nt1,1\nt2,1e999",
        3,
        "topic 't2', run 'A', column 2: expected a number within 1e+100, found '1e999'",
    ),
    ("topic,A\nt1,1_000\nt2,1", 2, "topic 't1', run 'A', column 2: expected a number, found '1_000'"),
    ("topic,A\nt1,٠.٥\nt2,1", 2, "topic 't1', run 'A', column 2: expected a number, found '٠.٥'"),
    ("topic,A\nt1,50%\nt2,1", 2, "topic 't1', run 'A', column 2: expected a number, found '50%'"),
    ("topic;A\nt1;1.234,5\nt2;1", 2, "topic 't1', run 'A', column 2: expected a number, found '1.234,5'"),
    (
        "topic;A;B\nt1;1;0,5\nt2;0.5;0,1",
        3,
        "topic 't2', run 'A', column 2: expected decimal commas as in the scores before, found a point in '0.5'",
    ),
    (
        'topic,A,B\nt1,0.5,"1,234"\nt2,0.5,1',
        2,
        "topic 't1', run 'B', column 3: expected decimal points as in the scores before, found a comma in '1,234'",
    ),
    (
        "topic,A,B\nt1,,0.2\nt2,0.5,1",
        2,
        "expected a score in every cell, but 1 cell is empty: topic 't1', run 'A', column 2 (line 2)",
    ),
    (
        "topic\tA\tB\tC\nt1\t1\t \t1\n\nt2\t\t\t\nt3\t\t\t1",
        2,
        "expected a score in every cell, but 6 cells are empty: topic 't1', run 'B', column 3 (line 2); "
        "topic 't2', run 'A', column 2 (line 4); topic 't2', run 'B', column 3 (line 4); "
        "topic 't2', run 'C', column 4 (line 4); topic 't3', run 'A', column 2 (line 5); and 1 more",
    ),
    ("topic,A,B\nt1,1,0\nt2,1", 3, "expected 3 cells, as in line 1, found 2 (cells are separated by commas)"),
    (
        "topic,A,B\nt1,1,0\nt2,1,1,1",
        3,
        "expected 3 cells, as in line 1, found 4 (cells are separated by commas)",
    ),
    (
        "topic A B\nt1 1 0 1\nt2 1 1 1",
        2,
        "expected 3 cells, as in line 1, found 4 (cells are separated by spaces)",
    ),
    (
        "topic,A,B\nt1,0,5,0,2\nt2,0,5,1,0",
        2,
        "expected 3 cells, as in line 1, found 5 (cells are separated by commas)",
    ),
    (
        "A,B\n0.1,0.2,0.3\n0.2,0.3,0.4",
        2,
        "expected 2 cells, as in line 1, found 3 (cells are separated by commas)",
    ),
    ("topic,A,A\nt1,1,0\nt2,1,1", 1, "expected each run once, found 'A' in columns 2 and 3"),
    (
        "topic,A,\nt1,1,0\nt2,1,1",
        1,
        "expected a run name in column 3, found an empty cell (do all lines end with a delimiter?)",
    ),
    ("\ntopic,A\nt1,1\nt2,0\nt1,1", 5, "expected each topic once, found 't1' here and on line 3"),
    ("topic,A\nt1,1\n,0", 3, "expected a topic id in column 1, found an empty cell"),
    ("topic,A\nt1,1\n,", 3, "expected a topic id in column 1, found an empty cell"),
    (
        'topic,A\n"t1,1\nt2,0\n',
        2,
        "expected cells with matching quotation marks: one is opened and not closed on this line",
    ),
    (
        'topic,A\n"t1,1\n"t2,0\n',
        2,
        "expected cells with matching quotation marks: one is opened and not closed on this line",
    ),
    ('topic,A\n"t1"x,1\nt2,0', 2, "expected cells with matching quotation marks: ',' expected after '\"'"),
    (
        "topic,A\n" + "x" * 60 + ",?\nt2,0",
        2,
        f"topic '{'x' * 40}…', run 'A', column 2: expected a number, found '?'",
    ),
    # A table that is not what it seems.
    ("0.7,0.5\n0.1,0.2", 1, HEADER + "'0.5'"),
    ("Q1,0.7,0.5\nQ2,0.2,0.3", 1, HEADER + "'0.7'"),
    ("Q1,1,0\nQ2,0,1", 1, HEADER + "'1'"),
    ("0.5\n0.2", 1, HEADER + "'0.5'"),
    ("map\t301\t0.25\nmap\t302\t0.5\n", 1, HEADER + "'0.25'"),  # trec_eval -q
    ("301\tAP\t0.25\n302\tAP\t0.5\n", 1, HEADER + "'0.25'"),  # ir_measures: no run
    ("runA 301 0.25\nrunA 302 0.5\n", 1, HEADER + "'0.25'"),
    ("301 Q0 FT911-3 1 0.5 tag\n301 Q0 FT911-4 2 0.4 tag\n", 1, HEADER + "'0.5'"),
    (
        "topic,AP,nDCG@10\n1,0.5,0.6\n2,0.1,0.2",
        1,
        "expected names of runs, scored by one measure, found only names of measures: 'AP', 'nDCG@10'",
    ),
    (
        "topic,P@5,P@10\n1,0.5,0.6\n2,0.1,0.2",
        1,
        "expected names of runs, scored by one measure, found only names of measures: 'P@5', 'P@10'",
    ),
    (
        "X,A\n5,3\n6,4",
        2,
        "the first column, 'X', may be topic ids or scores: it holds whole numbers such as '5'; name it 'topic' if "
        "it holds topic ids, else put a column of topic ids before it",
    ),
    (
        "X,A\n0.1,0.3\nx,0.4",
        3,
        "the first column, 'X', may be topic ids or scores: some of its cells are numbers, 'x' is not; name it "
        "'topic' if it holds topic ids, else put a column of topic ids before it",
    ),
    (
        "hello world this is text\nand more of it",
        2,
        "expected 5 cells, as in line 1, found 4 (cells are separated by spaces)",
    ),
    (
        "<html>\n<p>x</p>\n</html>",
        2,
        "topic '1', run '<html>', column 1: expected a number, found '<p>x</p>'",
    ),
]

LONG = [
    ("topic,run,score", 1, "expected rows of scores below the header, found none"),
    ("topic,run,score\n1,A,0.5\n1,B,0.5", None, "expected at least 2 topics, found only '1'"),
    ("topic,run,score\n1,A,0.5\n2,A,high", 3, "topic '2', run 'A': expected a number, found 'high'"),
    (
        "topic,run,measure,score\n1,A,AP,0.5\n2,A,AP,-",
        3,
        "topic '2', run 'A', measure 'AP': expected a number, found '-'",
    ),
    (
        "topic,run,score\n1,A,\n2,A,",
        2,
        "expected a score in every cell, but 2 cells are empty: topic '1', run 'A' (line 2); topic '2', run 'A' "
        "(line 3)",
    ),
    ("topic,run,score\n1,A,nan\n2,A,1", 2, "topic '1', run 'A': expected a finite number, found 'nan'"),
    (
        "topic,run,score\n1,A\n2,A,1",
        2,
        "expected 3 cells, as in line 1, found 2 (cells are separated by commas)",
    ),
    (
        "topic,run,score\n1,A,0.5\n2,A,0.5\n\n1,A,0.6",
        5,
        "expected one score for topic '1', run 'A', found another on line 2",
    ),
    (
        "topic,run,measure,score\n1,A,AP,0.5\n1,A,RR,0.5\n1,A,AP,0.5",
        4,
        "expected one score for topic '1', run 'A', measure 'AP', found another on line 2",
    ),
    (
        "topic,run,score\n1,A,0.5\n1,B,0.5\n2,A,0.6",
        None,
        "expected a score of every run on every topic, but 1 is missing: topic '2', run 'B'",
    ),
    (
        "topic,run,measure,score\n" + "\n".join(f"{i},r{i},AP,0.5" for i in range(4)),
        None,
        "expected a score of every run on every topic, measure 'AP', but 12 are missing: topic '0', run 'r1'; "
        "topic '0', run 'r2'; topic '0', run 'r3'; topic '1', run 'r0'; topic '1', run 'r2'; and 7 more",
    ),
    ("topic,run,score\n,A,0.5\n2,A,1", 2, "expected a topic id in column 1, found an empty cell"),
    ("topic,run,score\n1,,0.5\n2,A,1", 2, "expected a run name in column 2, found an empty cell"),
    ("score,topic,measure,run\n1,1,,A\n1,2,AP,A", 2, "expected a measure in column 3, found an empty cell"),
    ("topic,query,run,score\n1,1,A,0.5", 1, "expected one column for the topic, found 'topic' and 'query'"),
    (
        "topic,run,rank,score\n1,A,1,0.5",
        1,
        "expected no columns but topic, system, score and measure in a long table, found 'rank' in column 3; "
        "remove it, or it could hide that scores are repeats",
    ),
    (
        "301 A 0.5\n301 B 0.5\n302 A 0.6",
        None,
        "expected a score of every run on every topic, but 1 is missing: topic '302', run 'B'",
    ),
    ("301 A 0.5\n302 A", 2, "expected 3 cells, as in line 1, found 2 (cells are separated by spaces)"),
    ("301 A 0.5\n302 A x", 2, "topic '302', run 'A': expected a number, found 'x'"),
]


@pytest.mark.parametrize(("content", "line", "expected"), [*FILES, *WIDE, *LONG])
def test_is_refused_at_its_place(content: bytes | str, line: int | None, expected: str) -> None:
    with pytest.raises(ParseError) as caught:
        read_scores(content, "my scores.csv")
    assert caught.value.file == "my scores.csv"
    assert (caught.value.line, caught.value.expected) == (line, expected)
    place = "my scores.csv" if line is None else f"my scores.csv, line {line}"
    assert str(caught.value) == f"{place}: {expected}"


def test_one_name_for_several_measures_is_refused() -> None:
    text = "topic,run,measure,score\n1,A,AP,0.5\n2,A,AP,0.5\n1,A,RR,0.5\n2,A,RR,0.5"
    assert len(read_scores(text, "x.csv").matrices) == 2
    with pytest.raises(ParseError, match=r"expected scores of one measure, 'AP', found 2: 'AP', 'RR'"):
        read_scores(text, "x.csv", "AP")


# ------------------------------------------------------------------------------------- whatever comes in

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
    n_scores = sum(matrix.scores.size for matrix in read.matrices)
    if read.recognised[0].startswith("A wide table"):
        assert read.matrices[0].n_topics == len(lines) - 1
    else:
        assert n_scores in (len(lines), len(lines) - 1)
    assert read_or_refuse(content.encode()) == read
