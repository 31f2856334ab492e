"""Whatever comes in as runs or judgments is read or refused with a ParseError; written files are read back."""

import gzip
import io
import string
from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.parsing.packed import zipped
from tests.parsing.trec.test_qrels import grades_of
from tests.parsing.trec_examples import documents_of, run_text, tarred
from topicset_core.errors import ParseError
from topicset_core.parsing.trec import lines as trec_lines
from topicset_core.parsing.trec.qrels import read_collections, read_qrels
from topicset_core.parsing.trec.runs import read_run, read_runs


def in_blocks() -> Iterator[None]:
    """All of this also with blocks of about a line, so that everything meets the end of one."""
    for size in (trec_lines.BLOCK, 16):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(trec_lines, "BLOCK", size)
            yield


RUN = run_text(("1", "a", 0.5), ("1", "b", 0.25), ("2", "é", -1e-3), ("10", "c", 7))
JUDGMENTS = b"1 0 a 1\n1 0 b 0\n2 0 c -1\n"
PACKED = {
    "run": RUN,
    "run.gz": gzip.compress(RUN),
    "run.zip": zipped({"a": RUN, "b.gz": gzip.compress(RUN.replace(b" t\n", b" u\n"))}),
    "run.tar": tarred({"a": RUN, "b.gz": gzip.compress(RUN.replace(b" t\n", b" u\n"))}),
    "run.tgz": tarred({"a": RUN}, "w:gz"),
    "qrels": JUDGMENTS,
    "qrels.zip": zipped({"a": JUDGMENTS, "b": b"query-id\tcorpus-id\tscore\n1\ta\t1\n"}),
    "utf-16": RUN.decode().encode("utf-16"),
}


def read_as_both(content: bytes) -> None:
    """Anything but results and errors fails the test that calls this, and so does a warning."""
    runs = read_runs([("any", content)])
    assert runs.items or runs.errors
    for run in runs.runs:
        assert all(len(set(documents)) == len(documents) for documents in documents_of(run).values())
    collections = read_collections([("any", content)])
    assert collections.items or collections.errors
    for error in (*runs.errors, *collections.errors):
        assert isinstance(error, ParseError)
        assert error.file.startswith("any")
        assert error.line is None or error.line >= 1


@settings(max_examples=150)
@given(st.binary(max_size=300))
@example(b"\x1f\x8b")
@example(b"PK\x03\x04")
@example(b"\0" * 257 + b"ustar")
@example(b"\xef\xbb\xbf")
@example(b"\xff\xfe\xff\xfe")
def test_any_bytes(content: bytes) -> None:
    for _ in in_blocks():
        read_as_both(content)


CELLS = st.sampled_from(
    [
        "1",
        "Q0",
        "0",
        "a",
        "b",
        "0.5",
        "-1",
        "nan",
        "1e5",
        "1e999",
        "t",
        "u",
        "#",
        "#x",
        "é",
        "\u00a0",
        "\u2028",
        "1,5",
    ]
)
ODD_LINE = (
    st.lists(CELLS, max_size=8)
    | st.tuples(CELLS, CELLS, CELLS, CELLS, CELLS, st.just("t"))
    | st.tuples(CELLS, CELLS, CELLS, st.sampled_from("012"))
)
LINE_OF_A_RUN = st.tuples(
    st.sampled_from(["1", "2", "10"]),
    st.just("Q0"),
    st.sampled_from(["a", "b", "ab", "é", "Z", "9"]),
    st.just("1"),
    st.sampled_from(["0.5", "-1", "1e5", "1e-3", ".5", "+2", "0.50"]),
    st.just("t"),
)


def lines_of(cells: st.SearchStrategy[Sequence[str]]) -> st.SearchStrategy[bytes]:
    lines = st.tuples(
        st.sampled_from(["", "", " ", "\t"]),
        cells,
        st.sampled_from([" ", "\t", "  "]),
        st.sampled_from(["\n", "\n", "\r\n", "\n\n", "\r"]),
    )
    return st.lists(lines, max_size=6).map(
        lambda rows: "".join(lead + mark.join(row) + end for lead, row, mark, end in rows).encode()
    )


LINES = lines_of(ODD_LINE) | lines_of(LINE_OF_A_RUN)


def slow_run(content: bytes) -> list[list[bytes]] | None:
    """Rows as a few lines of Python read them; None where a line is not one of a run."""
    rows = [line.split() for line in content.splitlines()]
    rows = [row for row in rows if row and not row[0].startswith(b"#")]
    return rows if rows and all(len(row) >= 6 for row in rows) else None


@given(LINES)
def test_structured_junk_against_plain_python(content: bytes) -> None:
    for _ in in_blocks():
        read_as_both(content)
        check_against_plain_python(content)


def check_against_plain_python(content: bytes) -> None:
    runs = read_runs([("any", content)]).runs
    rows = slow_run(content)
    if rows is None:
        assert not runs
        return
    good = (
        all(row[4].strip(b"+-.0123456789eE") == b"" and np.isfinite(float(row[4])) for row in rows)
        and len({row[5] for row in rows}) == 1
        and len({(row[0], row[2]) for row in rows}) == len(rows)
        and all(cell.decode().strip() for row in rows for cell in (row[0], row[5]))
    )
    assert bool(runs) == good
    if good:
        expected: dict[str, list[tuple[float, bytes]]] = {}
        for row in rows:
            expected.setdefault(row[0].decode(), []).append((float(row[4]), row[2]))
        assert documents_of(runs[0]) == {
            topic: [document.decode() for _, document in sorted(documents, reverse=True)]
            for topic, documents in expected.items()
        }


@pytest.mark.slow
@settings(max_examples=150)
@given(
    file=st.sampled_from(sorted(PACKED)),
    changes=st.lists(st.tuples(st.integers(0, 20_000), st.integers(0, 255)), max_size=4),
    cut=st.integers(0, 20_000),
)
def test_files_with_some_bytes_changed_or_cut_off(
    file: str, changes: list[tuple[int, int]], cut: int
) -> None:
    content = bytearray(PACKED[file])
    for place, byte in changes:
        content[place % len(content)] = byte
    for _ in in_blocks():
        read_as_both(bytes(content[: cut if cut < len(content) else len(content)]))


IDS = st.text(
    st.characters(exclude_categories=("C", "Z"), exclude_characters="#\ufffc"), min_size=1, max_size=9
).filter(lambda one: len(one.encode().split()) == 1)
SEPARATORS = st.sampled_from([" ", "\t", "   ", " \t"])


@pytest.mark.slow
@settings(max_examples=60)
@given(
    run=st.dictionaries(
        IDS,
        st.dictionaries(
            IDS, st.floats(allow_nan=False, allow_infinity=False, width=32), min_size=1, max_size=5
        ),
        min_size=1,
        max_size=4,
    ),
    tag=IDS,
    mark=SEPARATORS,
    end=st.sampled_from(["\n", "\r\n"]),
    pack=st.sampled_from([bytes, gzip.compress]),
    seed=st.integers(0, 99),
)
def test_runs_round_trip(
    run: dict[str, dict[str, float]], tag: str, mark: str, end: str, pack: type[bytes], seed: int
) -> None:
    rows = [(topic, document, score) for topic in run for document, score in run[topic].items()]
    rows = [rows[index] for index in np.random.default_rng(seed).permutation(len(rows))]
    text = io.StringIO()
    for topic, document, score in rows:
        text.write(mark.join((topic, "Q0", document, "1", repr(score), tag)) + end)
    topics = tuple(dict.fromkeys(topic for topic, _, _ in rows))
    expected = {
        topic: [
            document.decode()
            for _, document in sorted(
                ((score, one.encode()) for one, score in run[topic].items()), reverse=True
            )
        ]
        for topic in topics
    }
    for _ in in_blocks():
        read = read_run("r", pack(text.getvalue().encode())).run
        assert (read.tag, read.topics) == (tag, topics)
        assert documents_of(read) == expected


@settings(max_examples=60)
@given(
    judgments=st.dictionaries(
        IDS, st.dictionaries(IDS, st.integers(-1000, 1000), min_size=1, max_size=5), min_size=1, max_size=4
    ),
    mark=SEPARATORS,
    beir=st.booleans(),
)
def test_judgments_round_trip(judgments: dict[str, dict[str, int]], mark: str, beir: bool) -> None:
    rows = [
        (topic, document, str(grade)) for topic in judgments for document, grade in judgments[topic].items()
    ]
    lines: list[tuple[str, ...]]
    if beir:
        lines = [("query-id", "corpus-id", "score"), *rows]
    else:
        lines = [(topic, "0", document, grade) for topic, document, grade in rows]
    content = "".join(mark.join(line) + "\n" for line in lines).encode()
    for _ in in_blocks():
        assert grades_of(read_qrels("q", content).qrels) == judgments


def test_every_printable_character_may_be_in_an_id() -> None:
    document = "".join(sorted(set(string.printable) - set(string.whitespace)))
    for _ in in_blocks():
        assert documents_of(read_run("r", run_text(("1", document, 1))).run) == {"1": [document]}
