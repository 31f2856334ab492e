"""What is not a wide table of scores, or no table at all: each refusal with its file, line and text."""

import pytest

from tests.parsing.refusals import IF_MISSING, check_refused

HEADER = (
    "expected a header row: 'topic' and the runs in a wide table, 'topic', 'run' and 'score' in a long one; "
    "found the number "
)

CHOOSE = ". Choose to drop those topics, to drop those runs or to count them as 0"

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
        "topic 't2', run 'B', column 3: expected a number, found 'n/a'" + IF_MISSING,
    ),
    (
        "A,B\n0.5,0.2\n0.5,n/a\n",
        3,
        "topic '2', run 'B', column 2: expected a number, found 'n/a'" + IF_MISSING,
    ),
    ("A B\nt1 0.5 0.2\nt2 x 1\n", 3, "topic 't2', run 'A', column 2: expected a number, found 'x'"),
    (
        "topic,A\nt1,0.5\nt2,NaN",
        3,
        "topic 't2', run 'A', column 2: expected a finite number, found 'NaN'" + IF_MISSING,
    ),
    ("topic,A\nt1,-inf\nt2,1", 2, "topic 't1', run 'A', column 2: expected a finite number, found '-inf'"),
    (
        "topic,A\nt1,1\nt2,1e999",
        3,
        "topic 't2', run 'A', column 2: expected a number within 1e+100, found '1e999'",
    ),
    ("topic,A\nt1,1_000\nt2,1", 2, "topic 't1', run 'A', column 2: expected a number, found '1_000'"),
    ("topic,A\nt1,٠.٥\nt2,1", 2, "topic 't1', run 'A', column 2: expected a number, found '٠.٥'"),
    (
        "topic,A\nt1,50%\nt2,1",
        2,
        "topic 't1', run 'A', column 2: expected a number, found '50%'; write numbers without %, such as 0.45 "
        "for 45%",
    ),
    (
        "topic;A\nt1;1.234,5\nt2;1",
        2,
        "topic 't1', run 'A', column 2: expected a number, found '1.234,5'; write thousands without points",
    ),
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
        "expected a score of every run on every topic, but 1 is missing: topic 't1', run 'A', column 2 (line 2)"
        f"{CHOOSE}",
    ),
    (
        "topic\tA\tB\tC\nt1\t1\t \t1\n\nt2\t\t\t\nt3\t\t\t1",
        2,
        "expected a score of every run on every topic, but 6 are missing: topic 't1', run 'B', column 3 (line 2); "
        "topic 't2', run 'A', column 2 (line 4); topic 't2', run 'B', column 3 (line 4); "
        "topic 't2', run 'C', column 4 (line 4); topic 't3', run 'A', column 2 (line 5); and 1 more"
        f"{CHOOSE}",
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
    (
        "topic,A,A\nt1,1,0\nt2,1,1",
        2,
        "expected one score for topic 't1', run 'A', found another in column 2 of the same line (2 cells are "
        "repeated in all); remove them, or choose to average repeats",
    ),
    (
        "topic,A,\nt1,1,0\nt2,1,1",
        1,
        "expected a run name in column 3, found an empty cell (do all lines end with a delimiter?)",
    ),
    (
        "\ntopic,A\nt1,1\nt2,0\nt1,1",
        5,
        "expected one score for topic 't1', run 'A', found another on line 3; remove them, or choose to average "
        "repeats",
    ),
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
        f"topic '{'x' * 40}…', run 'A', column 2: expected a number, found '?'" + IF_MISSING,
    ),
    # A table that is not what it seems.
    ("Q1,0.7,0.5\nQ2,0.2,0.3", 1, HEADER + "'0.7'"),
    ("Q1,1,0\nQ2,0,1", 1, HEADER + "'1'"),
    ("runA 301 0.25\nrunA 302 0.5\n", 1, HEADER + "'0.25'"),
    (
        "301 Q0 FT911-3 1 0.5 tag\n301 Q0 FT911-4 2 0.4 tag\n",
        1,
        "expected scores of runs on topics, found a ranking of documents (topic, Q0, document, rank, score, tag); "
        "its scores are computed from it and relevance judgments",
    ),
    (
        "301 0 FT911-3 1\n301 0 FT911-4 0\n",
        1,
        "expected scores of runs on topics, found relevance judgments (topic, iteration, document, grade); scores "
        "are computed from them and rankings",
    ),
    (
        "run,AP,nDCG@10\nA,0.5,0.6\nB,0.1,0.2",
        1,
        "expected names of topics, scored by one measure, found only names of measures: 'AP', 'nDCG@10'",
    ),
    (
        "Web,P@5,P@10\nA,0.5,0.6\nB,0.1,0.2",
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


@pytest.mark.parametrize(("content", "line", "expected"), WIDE)
def test_wide_table_is_refused_at_its_place(content: bytes | str, line: int | None, expected: str) -> None:
    check_refused(content, line, expected)
