"""Runs: accepted and refused spellings.

Every row of the first table: content, topics with their documents, best first. Of the second: content, and
the line. The notes and messages are in the golden record.
"""

import gzip

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.parsing.trec_examples import documents_of, run_text
from tests.refusals import notes, refusals, unread
from tests.words import numbers_in
from topicset_core.parsing.limits import LONGEST_ID
from topicset_core.parsing.trec import lines as trec_lines
from topicset_core.parsing.trec.lines import BLOCK
from topicset_core.parsing.trec.runs import read_run

PLAIN = b"1 Q0 a 1 0.5 t\n1 Q0 b 2 0.4 t\n2 Q0 c 1 0.3 t\n"
ABC = {"1": ["a", "b"], "2": ["c"]}

GOOD: dict[str, tuple[bytes, dict[str, list[str]]]] = {
    "plain": (PLAIN, ABC),
    "no-line-end": (PLAIN[:-1], ABC),
    "tabs": (PLAIN.replace(b" ", b"\t"), ABC),
    "wide-gaps": (PLAIN.replace(b" ", b" \t  "), ABC),
    "leading-spaces": (b"  1 Q0\ta 1   0.5 t  \n1\tQ0 b 2\t0.4 t\n\t2 Q0 c 1 0.3 t", ABC),
    "crlf": (PLAIN.replace(b"\n", b"\r\n"), ABC),
    "cr": (PLAIN.replace(b"\n", b"\r"), ABC),
    "blank-lines": (PLAIN.replace(b"\n", b"\n\n  \n\t\n"), ABC),
    "byte-order-mark": (b"\xef\xbb\xbf" + PLAIN, ABC),
    "utf-16": (PLAIN.decode().encode("utf-16"), ABC),
    "utf-16-be": (b"\xfe\xff" + PLAIN.decode().encode("utf-16-be"), ABC),
    "gz": (gzip.compress(PLAIN), ABC),
    "gz-two-members": (gzip.compress(PLAIN[:20]) + gzip.compress(PLAIN[20:]), ABC),
    "gz-and-zeros": (gzip.compress(PLAIN) + bytes(512), ABC),
    # The second and the fourth column are ignored.
    "second-column": (PLAIN.replace(b"Q0", b"0"), ABC),
    "other-columns": (b"1 x a -1 0.5 t\n1 y b ? 0.4 t\n2 z c 9e9 0.3 t\n", ABC),
    # Numbers as C writes them.
    "numbers-as-in-c": (
        run_text(
            ("1", "a", "1e-3"), ("1", "b", "-.5"), ("1", "c", "+2."), ("1", "d", "-1E+2"), ("1", "e", "0012")
        ),
        {"1": ["e", "c", "a", "b", "d"]},
    ),
    "long-numbers": (
        run_text(("1", "a", "0.1234567890123456789012"), ("1", "b", "123456789012345678901234567890")),
        {"1": ["b", "a"]},
    ),
    # Ignored, with a note.
    "comments": (b"# made by x\n1 Q0 a 1 0.5 t\n  #1 Q0 b 2 0.4 t\n", {"1": ["a"]}),
    "comment-of-six-words": (b"# a b c d e\n1 Q0 a 1 0.5 t\n", {"1": ["a"]}),
    "words-after-tag": (b"1 Q0 a 1 0.5 t and more\n1 Q0 b 1 0.4 t\n", {"1": ["a", "b"]}),
    "tag-of-two-words": (b"1 Q0 a 1 0.5 my run\n1 Q0 b 1 0.4 my run\n", {"1": ["a", "b"]}),
    "sysdesc": (b"<SYSDESC>BM25 over titles only, k1 = 1.2</SYSDESC>\n" + PLAIN, ABC),
    "sysdesc-below-blanks": (b"\n \n<SYSDESC>a b c d e</SYSDESC>\n" + PLAIN, ABC),
    "sysdesc-crlf": (b"<SYSDESC>a b c d e</SYSDESC>\r\n" + PLAIN.replace(b"Q0", b"0"), ABC),
    # Ties.
    "ties": (run_text(("1", "a", 1), ("1", "b", 1), ("1", "c", 2)), {"1": ["c", "b", "a"]}),
    # Ids are bytes: quotation marks, commas and letters of any script are part of them.
    "other-characters": (
        '1 Q0 "a 1 2 t\n1 Q0 b," 1 1 t\n1 Q0 é́文 1 0 t\n'.encode(),
        {"1": ['"a', 'b,"', "é́文"]},
    ),
    "no-break-space": ("1 Q0 a\u00a0b 1 1 t\n".encode(), {"1": ["a\u00a0b"]}),  # no separator in C either
    "longest-id": (run_text(("1", "d" * LONGEST_ID, 1)), {"1": ["d" * LONGEST_ID]}),
    # The same document in two topics; a topic id that another begins with.
    "topic-prefixes": (
        run_text(("1", "a", 1), ("11", "a", 1), ("111", "a", 1)),
        {"1": ["a"], "11": ["a"], "111": ["a"]},
    ),
}

NO_SCORES = {
    "word": "scored",
    "underscore": "1_0",
    "hexadecimal": "0x10",
    "point": ".",
    "minus": "-",
    "minus-inside": "1-2",
    "two-points": "1.2.3",
    "exponent-empty": "1e",
    "exponent-alone": "e5",
    "two-minuses": "--1",
    "two-signs": "+-1",
    "exponent-fraction": "1e1.5",
    "superscript": "²",
    "no-break-space": "1\u00a0",
}
BAD: dict[str, tuple[bytes, int | None]] = {
    # Columns.
    "empty": (b"", None),
    "blank": (b"\n \n\t\n", None),
    "comment-alone": (b"# nothing\n", None),
    "five-columns": (b"1 Q0 a 1 0.5\n", 1),
    "five-columns-below": (PLAIN + b"\n3 Q0 a 1 0.5\n", 5),
    "line-cut-in-two": (PLAIN + b"3 Q0 a 1\n0.5 t\n", 4),
    "one-word": (b"# x\n" + PLAIN.replace(b"\n", b"\r\n") + b"word", 5),
    "sysdesc-alone": (b"<SYSDESC>x</SYSDESC>", None),
    "five-columns-below-blank-sysdesc": (b" \n\n<SYSDESC>x</SYSDESC>\n1 Q0 a 1 0.5\n", 4),
    "five-columns-below-sysdesc": (b"<SYSDESC>x</SYSDESC>\n1 Q0 a 1 0.5\n", 2),
    "commas": (b"1,Q0,a,1,0.5,t\n", 1),
    "five-and-seven-columns": (
        b"1 Q0 a 1 t\n1 Q0 b 2 0.4 t t\n",
        1,
    ),  # together as many cells as two lines have
    "trec-eval-output": (b"map all 0.25\n", 1),
    # Judgments.
    "judgments": (b"1 0 a 1\n1 0 b 0\n", 1),
    "judgments-below-0": (b"1 0 a -1\n", 1),
    "beir-judgments": (b"query-id\tcorpus-id\tscore\n1\ta\t1\n", 1),
    "judgment-line": (PLAIN + b"1 0 a 1\n", 4),  # in the middle of a run it is a line cut off
    # Scores.
    "nan": (b"1 Q0 a 1 nan t\n", 1),
    "capital-nan": (b"1 Q0 a 1 NaN t\n", 1),
    "minus-infinity": (PLAIN + b"2 Q0 d 1 -inf t\n", 4),
    "infinity-word": (PLAIN + b"\n2 Q0 d 1 Infinity t\n", 5),
    "too-large": (b"1 Q0 a 1 1e400 t\n", 1),
    "comma": (b"1 Q0 a 1 0,5 t\n", 1),
    **{f"score-{name}": (f"1 Q0 a 1 {score} t\n".encode(), 1) for name, score in NO_SCORES.items()},
    "header": (b"qid Q0 docno rank score tag\n" + PLAIN, 1),
    # Tags.
    "other-tag": (PLAIN + b"2 Q0 d 2 0.2 u\n", 4),
    "space-in-ids": (b"1 Q0 doc a 1 0.5 t\n1 Q0 doc b 2 0.4 t\n", 2),
    "space-in-numbered-ids": (b"1 Q0 doc 1 1 0.5 t\n1 Q0 doc 2 2 0.4 t\n", 2),
    "blank-tag": ("1 Q0 a 1 0.5 \u00a0\n".encode(), None),
    "blank-topic": ("\u3000 Q0 a 1 0.5 t\n".encode(), None),
    # Repeated documents.
    "repeat": (PLAIN + b"1 Q0 a 7 0.1 t\n", 4),
    "repeat-below-comment": (b"#\n\n1 Q0 a 1 0.5 t\n1 Q0 aa 1 0.5 t\n2 Q0 a 1 0.5 t\n1 Q0 a 1 0.5 t\n", 6),
    # Too long.
    "long-document": (run_text(("1", "d" * (LONGEST_ID + 1), 1)), 1),
    "long-topic": (run_text(("é" * LONGEST_ID, "d", 1)), 1),
    "long-tag": (run_text(("1", "d", 1), tag="t" * 700), 1),
    # No text.
    "nul": (PLAIN + b"2 Q0 d\x00 2 0.2 t\n", 4),
    "utf-16-without-mark": (PLAIN.decode().encode("utf-16-le"), 1),
    "control-character": (b"1 Q0 a\x0bb 2 0.2 t\n", 1),
    "no-utf-8": (PLAIN + "2 Q0 é 2 0.2 t\n".encode("latin-1"), 4),
    "no-utf-8-below-utf-8": (PLAIN + "2 Q0 é 2 0.2 t\n".encode() + "2 Q0 ü 2 0.2 t\n".encode("latin-1"), 5),
    "no-utf-16": (b"\xff\xfe1", None),
    "pdf": (b"%PDF-1.5", None),
    "bzip2": (b"BZh9", None),
    "xz": (b"\xfd7zXZ\x00", None),
}


@pytest.mark.parametrize(("content", "expected"), GOOD.values(), ids=GOOD)
def test_good_run(content: bytes, expected: dict[str, list[str]]) -> None:
    read = read_run("r", content)
    assert documents_of(read.run) == expected
    assert list(read.run.topics) == list(expected)
    assert (read.file, read.run.tag) == ("r", "my" if b"my run" in content else "t")


def test_notes_on_good_runs(golden: SnapshotAssertion) -> None:
    assert notes({name: read_run("r", content).notes for name, (content, _) in GOOD.items()}) == golden


def test_a_bad_run_is_refused_with_a_reason(golden: SnapshotAssertion) -> None:
    assert refusals(lambda content: read_run("r", content), BAD, "r") == golden


def test_a_plain_run_has_a_description_and_no_other_notes() -> None:
    (note,) = read_run("r", PLAIN).notes
    assert numbers_in(note) == [2, 3, 1, 2]  # topics, documents, 1 to 2 per topic


@pytest.mark.parametrize(
    "bad", [b"7 Q0 x 1 nan t\n", b"7 Q0 x 1 0.5\n", b"7 Q0 x 1 0.5 u\n", b"7 Q0 \xff 1 1 t\n"]
)
@pytest.mark.parametrize("aside", [b"", b"\n", b"# note\n"])
def test_an_invalid_line_after_the_first_block_is_named(
    bad: bytes, aside: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two blocks of good lines come first, with blank lines or comments among them."""
    monkeypatch.setattr(trec_lines, "BLOCK", 4096)
    good = [f"1 Q0 d{number} 1 0.5 t\n".encode() for number in range(2 * 4096 // 15)]
    content = b"".join([*good[:100], aside, *good[100:-5], bad, *good[-5:]])
    assert unread(read_run, "r", content).line == len(good) - 5 + 1 + bool(aside)


def test_a_repeat_across_blocks_is_detected() -> None:
    rows = [("1", f"d{number}", 1) for number in range(3 * BLOCK // 15)]
    content = run_text(*rows, ("2", "d7", 1), ("1", "d7", 1))
    error = unread(read_run, "r", content)
    assert error.line == len(rows) + 2
    assert {1, 8} <= set(numbers_in(error.expected))  # of topic 1, and on line 8 before


def test_a_line_longer_than_a_block_is_refused() -> None:
    error = unread(read_run, "r", PLAIN + run_text(("1", "x" * (3 * BLOCK), 1)))
    assert error.line == 4
    assert numbers_in(error.expected) == [LONGEST_ID, 3 * BLOCK]
