"""Files that are not wide tables of scores, or not tables; the golden record contains the words of refusals."""

from syrupy.assertion import SnapshotAssertion

from tests.parsing.refusals import table_refusals

WIDE: dict[str, tuple[bytes | str, int | None]] = {
    "header-alone": ("topic,A,B\n", 1),
    "one-cell": ("\n\ntopic", 3),
    "one-topic": ("topic,A,B\nt1,0.5,0.2\n", None),
    "n-a": ("topic,A,B\nt1,0.5,0.2\n\nt2,0.5,n/a\n", 4),
    "n-a-without-ids": ("A,B\n0.5,0.2\n0.5,n/a\n", 3),
    "text-without-corner": ("A B\nt1 0.5 0.2\nt2 x 1\n", 3),
    "nan": ("topic,A\nt1,0.5\nt2,NaN", 3),
    "infinite": ("topic,A\nt1,-inf\nt2,1", 2),
    "too-large": ("topic,A\nt1,1\nt2,1e999", 3),
    "underscore": ("topic,A\nt1,1_000\nt2,1", 2),
    "other-digits": ("topic,A\nt1,٠.٥\nt2,1", 2),
    "per-cent": ("topic,A\nt1,50%\nt2,1", 2),
    "thousands": ("topic;A\nt1;1.234,5\nt2;1", 2),
    "point-among-commas": ("topic;A;B\nt1;1;0,5\nt2;0.5;0,1", 3),
    "comma-among-points": ('topic,A,B\nt1,0.5,"1,234"\nt2,0.5,1', 2),
    "missing": ("topic,A,B\nt1,,0.2\nt2,0.5,1", 2),
    "many-missing": ("topic\tA\tB\tC\nt1\t1\t \t1\n\nt2\t\t\t\nt3\t\t\t1", 2),
    "cell-short": ("topic,A,B\nt1,1,0\nt2,1", 3),
    "cell-too-many": ("topic,A,B\nt1,1,0\nt2,1,1,1", 3),
    "spaces-too-many": ("topic A B\nt1 1 0 1\nt2 1 1 1", 2),
    "decimal-commas": ("topic,A,B\nt1,0,5,0,2\nt2,0,5,1,0", 2),
    "headless-too-many": ("A,B\n0.1,0.2,0.3\n0.2,0.3,0.4", 2),
    "run-twice": ("topic,A,A\nt1,1,0\nt2,1,1", 2),
    "delimiter-at-line-end": ("topic,A,\nt1,1,0\nt2,1,1", 1),
    "topic-twice": ("\ntopic,A\nt1,1\nt2,0\nt1,1", 5),
    "no-topic-id": ("topic,A\nt1,1\n,0", 3),
    "empty-row": ("topic,A\nt1,1\n,", 3),
    "quote-open": ('topic,A\n"t1,1\nt2,0\n', 2),
    "quotes-open": ('topic,A\n"t1,1\n"t2,0\n', 2),
    "quote-inside": ('topic,A\n"t1"x,1\nt2,0', 2),
    "long-id": ("topic,A\n" + "x" * 60 + ",?\nt2,0", 2),
    # A table that resembles another format.
    "headless": ("Q1,0.7,0.5\nQ2,0.2,0.3", 1),
    "headless-whole": ("Q1,1,0\nQ2,0,1", 1),
    "headless-long": ("runA 301 0.25\nrunA 302 0.5\n", 1),
    "run-file": ("301 Q0 FT911-3 1 0.5 tag\n301 Q0 FT911-4 2 0.4 tag\n", 1),
    "qrels-file": ("301 0 FT911-3 1\n301 0 FT911-4 0\n", 1),
    "measures-by-run": ("run,AP,nDCG@10\nA,0.5,0.6\nB,0.1,0.2", 1),
    "measures-by-anything": ("Web,P@5,P@10\nA,0.5,0.6\nB,0.1,0.2", 1),
    "whole-numbers-first": ("X,A\n5,3\n6,4", 2),
    "numbers-and-text-first": ("X,A\n0.1,0.3\nx,0.4", 3),
    "plain-text": ("hello world this is text\nand more of it", 2),
    "html": ("<html>\n<p>x</p>\n</html>", 2),
}


def test_wide_table_is_refused_at_its_place(golden: SnapshotAssertion) -> None:
    assert table_refusals(WIDE) == golden
