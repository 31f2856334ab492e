"""Runs of every spelling that is read, and of those that are refused: what is said to each.

Every row of the first table: content, topics with their documents, best first, and a sentence that must
be among those said. Of the second: content, and the whole of what is said.
"""

# ruff: noqa: E501 - rows of tables
import gzip

import pytest

from tests.parsing.trec_made import documents_of, run_text
from topicset_core.errors import ParseError
from topicset_core.parsing import trec_lines
from topicset_core.parsing.trec_limits import LONGEST_ID
from topicset_core.parsing.trec_lines import BLOCK
from topicset_core.parsing.trec_runs import read_run

PLAIN = b"1 Q0 a 1 0.5 t\n1 Q0 b 2 0.4 t\n2 Q0 c 1 0.3 t\n"
ABC = {"1": ["a", "b"], "2": ["c"]}
UTF_16 = "The file is in UTF-16; ids were recoded to UTF-8."

# fmt: off
GOOD: list[tuple[bytes, dict[str, list[str]], str]] = [
    (PLAIN, ABC, "Run 't': 2 topics, 3 documents, 1 to 2 a topic."),
    (PLAIN[:-1], ABC, "Run 't': 2 topics, 3 documents, 1 to 2 a topic."),
    (PLAIN.replace(b" ", b"\t"), ABC, ""),
    (PLAIN.replace(b" ", b" \t  "), ABC, ""),
    (b"  1 Q0\ta 1   0.5 t  \n1\tQ0 b 2\t0.4 t\n\t2 Q0 c 1 0.3 t", ABC, ""),
    (PLAIN.replace(b"\n", b"\r\n"), ABC, ""),
    (PLAIN.replace(b"\n", b"\r"), ABC, ""),
    (PLAIN.replace(b"\n", b"\n\n  \n\t\n"), ABC, ""),
    (b"\xef\xbb\xbf" + PLAIN, ABC, ""),
    (PLAIN.decode().encode("utf-16"), ABC, UTF_16),
    (b"\xfe\xff" + PLAIN.decode().encode("utf-16-be"), ABC, UTF_16),
    (gzip.compress(PLAIN), ABC, ""),
    (gzip.compress(PLAIN[:20]) + gzip.compress(PLAIN[20:]), ABC, ""),
    (gzip.compress(PLAIN) + bytes(512), ABC, ""),
    # The second and the fourth column are ignored, whatever they hold.
    (PLAIN.replace(b"Q0", b"0"), ABC, ""),
    (b"1 x a -1 0.5 t\n1 y b ? 0.4 t\n2 z c 9e9 0.3 t\n", ABC, ""),
    # Numbers as C writes them.
    (run_text(("1", "a", "1e-3"), ("1", "b", "-.5"), ("1", "c", "+2."), ("1", "d", "-1E+2"), ("1", "e", "0012")),
     {"1": ["e", "c", "a", "b", "d"]}, "In 1 topic the lines do not stand in the order of their scores; scores decide, not ranks or the order of lines."),
    (run_text(("1", "a", "0.1234567890123456789012"), ("1", "b", "123456789012345678901234567890")), {"1": ["b", "a"]}, ""),
    # Passed over, and said.
    (b"# made by x\n1 Q0 a 1 0.5 t\n  #1 Q0 b 2 0.4 t\n", {"1": ["a"]}, "2 lines starting with # passed over."),
    (b"# a b c d e\n1 Q0 a 1 0.5 t\n", {"1": ["a"]}, "1 line starting with # passed over."),
    (b"1 Q0 a 1 0.5 t and more\n1 Q0 b 1 0.4 t\n", {"1": ["a", "b"]}, "1 line goes on after the tag; that was passed over, as in trec_eval."),
    (b"1 Q0 a 1 0.5 my run\n1 Q0 b 1 0.4 my run\n", {"1": ["a", "b"]}, "2 lines go on after the tag; that was passed over, as in trec_eval."),
    (b"<SYSDESC>BM25 over titles only, k1 = 1.2</SYSDESC>\n" + PLAIN, ABC, "The first line, <SYSDESC>, describes the run and was passed over."),
    (b"\n \n<SYSDESC>a b c d e</SYSDESC>\n" + PLAIN, ABC, "The first line, <SYSDESC>, describes the run and was passed over."),
    (b"<SYSDESC>a b c d e</SYSDESC>\r\n" + PLAIN.replace(b"Q0", b"0"), ABC, "The first line, <SYSDESC>, describes the run and was passed over."),
    # Ties.
    (run_text(("1", "a", 1), ("1", "b", 1), ("1", "c", 2)), {"1": ["c", "b", "a"]},
     "2 documents have the score of another one of the same topic; such documents stand in descending order of their ids, as in trec_eval."),
    # Ids are bytes: quotation marks, commas and letters of any script are part of them.
    ('1 Q0 "a 1 2 t\n1 Q0 b," 1 1 t\n1 Q0 é́文 1 0 t\n'.encode(), {"1": ['"a', 'b,"', "é́文"]}, ""),
    ("1 Q0 a\u00a0b 1 1 t\n".encode(), {"1": ["a\u00a0b"]}, ""),  # no separator in C either
    (run_text(("1", "d" * LONGEST_ID, 1)), {"1": ["d" * LONGEST_ID]}, ""),
    # The same document in two topics; a topic id that another begins with.
    (run_text(("1", "a", 1), ("11", "a", 1), ("111", "a", 1)), {"1": ["a"], "11": ["a"], "111": ["a"]}, "Run 't': 3 topics, 3 documents, 1 a topic."),
]

COLUMNS = "expected a run, which has 6 columns (topic, Q0, document, rank, score, tag), found"
SWAPPED = "as in relevance judgments; are runs and judgments swapped?"
BAD: list[tuple[bytes, str]] = [
    # Columns.
    (b"", f"r: {COLUMNS} no line of it"),
    (b"\n \n\t\n", f"r: {COLUMNS} no line of it"),
    (b"# nothing\n", f"r: {COLUMNS} no line of it"),
    (b"1 Q0 a 1 0.5\n", f"r, line 1: {COLUMNS} 5 columns"),
    (PLAIN + b"\n3 Q0 a 1 0.5\n", f"r, line 5: {COLUMNS} 5 columns"),
    (PLAIN + b"3 Q0 a 1\n0.5 t\n", f"r, line 4: {COLUMNS} 4 columns"),
    (b"# x\n" + PLAIN.replace(b"\n", b"\r\n") + b"word", f"r, line 5: {COLUMNS} 1 column"),
    (b"<SYSDESC>x</SYSDESC>", f"r: {COLUMNS} no line of it"),
    (b" \n\n<SYSDESC>x</SYSDESC>\n1 Q0 a 1 0.5\n", f"r, line 4: {COLUMNS} 5 columns"),
    (b"<SYSDESC>x</SYSDESC>\n1 Q0 a 1 0.5\n", f"r, line 2: {COLUMNS} 5 columns"),
    (b"1,Q0,a,1,0.5,t\n", f"r, line 1: {COLUMNS} 1 column; columns are separated by tabs or spaces"),
    (b"1 Q0 a 1 t\n1 Q0 b 2 0.4 t t\n", f"r, line 1: {COLUMNS} 5 columns"),  # together as many cells as two lines have
    (b"map all 0.25\n", f"r, line 1: {COLUMNS} 3 columns"),
    # Judgments.
    (b"1 0 a 1\n1 0 b 0\n", f"r, line 1: {COLUMNS} 4 columns {SWAPPED}"),
    (b"1 0 a -1\n", f"r, line 1: {COLUMNS} 4 columns {SWAPPED}"),
    (b"query-id\tcorpus-id\tscore\n1\ta\t1\n", f"r, line 1: {COLUMNS} 3 columns {SWAPPED}"),
    (PLAIN + b"1 0 a 1\n", f"r, line 4: {COLUMNS} 4 columns"),  # in the middle of a run it is a line cut off
    # Scores.
    (b"1 Q0 a 1 nan t\n", "r, line 1: topic '1', document 'a': expected a finite number as score, found 'nan'"),
    (b"1 Q0 a 1 NaN t\n", "r, line 1: topic '1', document 'a': expected a finite number as score, found 'NaN'"),
    (PLAIN + b"2 Q0 d 1 -inf t\n", "r, line 4: topic '2', document 'd': expected a finite number as score, found '-inf'"),
    (PLAIN + b"\n2 Q0 d 1 Infinity t\n", "r, line 5: topic '2', document 'd': expected a finite number as score, found 'Infinity'"),
    (b"1 Q0 a 1 1e400 t\n", "r, line 1: topic '1', document 'a': expected a finite number as score, found '1e400'"),
    (b"1 Q0 a 1 0,5 t\n", "r, line 1: topic '1', document 'a': expected a number with a decimal point as score, found '0,5'"),
    *((f"1 Q0 a 1 {score} t\n".encode(), f"r, line 1: topic '1', document 'a': expected a number as score, found {score!r}")
      for score in ("scored", "1_0", "0x10", ".", "-", "1-2", "1.2.3", "1e", "e5", "--1", "+-1", "1e1.5", "²", "1\u00a0")),
    (b"qid Q0 docno rank score tag\n" + PLAIN, "r, line 1: topic 'qid', document 'docno': expected a number as score, found 'score'; if this is a header, take the line out"),
    # Tags.
    (PLAIN + b"2 Q0 d 2 0.2 u\n", "r, line 4: expected the tag 't' as in the lines before, found 'u'; put each run into a file of its own"),
    (b"1 Q0 doc a 1 0.5 t\n1 Q0 doc b 2 0.4 t\n", "r, line 2: expected the tag '0.5' as in the lines before, found '0.4' in a line of 7 columns; is there a space in an id?"),
    (b"1 Q0 doc 1 1 0.5 t\n1 Q0 doc 2 2 0.4 t\n", "r, line 2: expected the tag '0.5' as in the lines before, found '0.4' in a line of 7 columns; is there a space in an id?"),
    ("1 Q0 a 1 0.5 \u00a0\n".encode(), "r: expected a tag, found '\\xa0', which nobody can see"),
    ("\u3000 Q0 a 1 0.5 t\n".encode(), "r: expected a topic id, found '\\u3000', which nobody can see"),
    # Repeated documents.
    (PLAIN + b"1 Q0 a 7 0.1 t\n", "r, line 4: expected each document once in a topic, found 'a' of topic '1' again, which line 1 has already"),
    (b"#\n\n1 Q0 a 1 0.5 t\n1 Q0 aa 1 0.5 t\n2 Q0 a 1 0.5 t\n1 Q0 a 1 0.5 t\n", "r, line 6: expected each document once in a topic, found 'a' of topic '1' again, which line 3 has already"),
    # Too long.
    (run_text(("1", "d" * (LONGEST_ID + 1), 1)), "r, line 1: expected a document id of at most 500 bytes, found one of 501"),
    (run_text(("é" * LONGEST_ID, "d", 1)), "r, line 1: expected a topic id of at most 500 bytes, found one of 1,000"),
    (run_text(("1", "d", 1), tag="t" * 700), "r, line 1: expected a tag of at most 500 bytes, found one of 700"),
    # No text.
    (PLAIN + b"2 Q0 d\x00 2 0.2 t\n", "r, line 4: expected text, found the character U+0000: this looks like a binary file"),
    (PLAIN.decode().encode("utf-16-le"), "r, line 1: expected text, found the character U+0000: this looks like UTF-16 without a byte order mark; save the file as UTF-8 text"),
    (b"1 Q0 a\x0bb 2 0.2 t\n", "r, line 1: expected text, found the character U+000B: this looks like a binary file"),
    (PLAIN + "2 Q0 é 2 0.2 t\n".encode("latin-1"),
     "r, line 4: expected UTF-8 text, found the byte 0xE9 that does not belong there; save all runs and judgments as UTF-8, so that the same ids are the same bytes"),
    (PLAIN + "2 Q0 é 2 0.2 t\n".encode() + "2 Q0 ü 2 0.2 t\n".encode("latin-1"),
     "r, line 5: expected UTF-8 text, found the byte 0xFC that does not belong there; save all runs and judgments as UTF-8, so that the same ids are the same bytes"),
    (b"\xff\xfe1", "r: expected UTF-16 text, as its first bytes say, found bytes that are none"),
    (b"%PDF-1.5", "r: is a PDF document, expected plain text"),
    (b"BZh9", "r: is a bzip2 archive, expected plain text"),
    (b"\xfd7zXZ\x00", "r: is an xz archive, expected plain text"),
]
# fmt: on


@pytest.mark.parametrize(("content", "expected", "said"), GOOD, ids=range(len(GOOD)))
def test_good_run(content: bytes, expected: dict[str, list[str]], said: str) -> None:
    read = read_run("r", content)
    assert documents_of(read.run) == expected
    assert list(read.run.topics) == list(expected)
    assert not said or said in read.said
    assert (read.file, read.run.tag) == ("r", "my" if b"my run" in content else "t")


@pytest.mark.parametrize(("content", "said"), BAD, ids=range(len(BAD)))
def test_bad_run_is_refused_and_said_why(content: bytes, said: str) -> None:
    with pytest.raises(ParseError) as caught:
        read_run("r", content)
    assert str(caught.value) == said


def test_nothing_is_said_of_a_plain_run_but_what_it_is() -> None:
    assert read_run("r", PLAIN).said == ("Run 't': 2 topics, 3 documents, 1 to 2 a topic.",)


@pytest.mark.parametrize(
    "bad", [b"7 Q0 x 1 nan t\n", b"7 Q0 x 1 0.5\n", b"7 Q0 x 1 0.5 u\n", b"7 Q0 \xff 1 1 t\n"]
)
@pytest.mark.parametrize("aside", [b"", b"\n", b"# note\n"])
def test_the_line_to_blame_is_found_beyond_the_first_block(
    bad: bytes, aside: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two blocks of good lines come first, with blank lines or comments among them."""
    monkeypatch.setattr(trec_lines, "BLOCK", 4096)
    good = [f"1 Q0 d{number} 1 0.5 t\n".encode() for number in range(2 * 4096 // 15)]
    content = b"".join([*good[:100], aside, *good[100:-5], bad, *good[-5:]])
    with pytest.raises(ParseError) as caught:
        read_run("r", content)
    assert caught.value.line == len(good) - 5 + 1 + bool(aside)


def test_a_repeat_is_found_across_blocks() -> None:
    rows = [("1", f"d{number}", 1) for number in range(3 * BLOCK // 15)]
    content = run_text(*rows, ("2", "d7", 1), ("1", "d7", 1))
    with pytest.raises(ParseError, match="found 'd7' of topic '1' again, which line 8 has already") as caught:
        read_run("r", content)
    assert caught.value.line == len(rows) + 2


def test_a_line_longer_than_a_block_is_refused_as_any_other() -> None:
    with pytest.raises(ParseError, match=r"r, line 4: expected a document id of at most 500 bytes"):
        read_run("r", PLAIN + run_text(("1", "x" * (3 * BLOCK), 1)))
