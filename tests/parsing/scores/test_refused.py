"""Files that are refused, each with its place; the golden record contains the words."""

import gzip
import io
import zipfile
from typing import NamedTuple

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.parsing.packed import (
    TABLE,
    Rows,
    damaged,
    encrypted,
    trec_eval_output,
    without_reason,
    workbook,
    zipped,
)
from tests.parsing.trec_examples import tarred
from tests.refusals import check_unread, unread
from topicset_core.parsing import Choices, read_scores
from topicset_core.parsing.choices import MissingScores, RepeatedScores

FILE = "my scores.csv"
WIDE = "topic,A,B\n1,0.5,0.2\n2,0.3,0.1\n"
A_EVAL = trec_eval_output("A", 0.1, 0.2, 0.3)
ONE = "1 # syslen=4 jrel=3 jnonrel=1\n1 # r1=2 rp=2\n1 AP=  0.5\n1 nERR@0010=  0.25\n"
TWO = ONE.replace("1 #", "2 #").replace("1 AP", "2 AP").replace("1 nERR", "2 nERR")
GDEVAL = "runid,topic,ndcg@20,err@20\nA,1,.5,.1\nA,2,.3,.1\nA,amean,.4,.1\n"
RECORD = '{"query_id": "%s", "measure": "AP", "value": %s}\n'


class Bad(NamedTuple):
    """A file, the line and, if not that of the file, the name in its refusal."""

    content: str | bytes
    line: int | None = None
    file: str = FILE
    choices: Choices = Choices()
    at: str = ""


def with_members(*members: str) -> bytes:
    return zipped(dict.fromkeys(members, "x" * 100))


def with_entities() -> bytes:
    """A workbook with a document type in one of its parts."""
    file = io.BytesIO(workbook({"AP": TABLE}))
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr("xl/extra.xml", '<!DOCTYPE x [<!ENTITY a "aaaa">]><x>&a;</x>')
    return file.getvalue()


def sheet(*rows: tuple[object, ...], merge: str | None = None) -> bytes:
    table: Rows = (("topic", "A"), (1, 0.5), *rows)
    return workbook({"AP": table}, merge)


NO_TEXT = {
    "empty-text": Bad(""),
    "empty-bytes": Bad(b""),
    "byte-order-mark-alone": Bad(b"\xff\xfe"),
    "blank-with-mark": Bad(b"\xef\xbb\xbf\r\n \t \n"),
    "no-workbook": Bad(with_members("[Content_Types].xml", "xl/workbook.xml")),
    "old-excel": Bad(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 ..."),
    "pdf": Bad(b"%PDF-1.7\n%\xe2"),
    "no-utf-8": Bad(b"topic,A\r\nt1,0.5\r\ncaf\xe9,1\r\n", 3),
    "no-utf-16": Bad("a\nb".encode("utf-16") + b"\x00", 2),
    "utf-16-without-mark": Bad("topic,A\nt1,0.5\nt2,1\n".encode("utf-16-le"), 1),
    "utf-16-be-without-mark": Bad("topic,A\nt1,0.5\nt2,1\n".encode("utf-16-be"), 1),
    "zero-bytes": Bad(b"\x01\0\0\0\x02\0\0\0", 1),
    "tar": Bad(tarred({"a": b"topic,A\n1,.5\n2,.25\n"})),
    "tgz": Bad(tarred({"a": b"topic,A\n1,.5\n2,.25\n"}, "w:gz")),
    "web-page": Bad(b"\n<!DOCTYPE html>\n<html><body>404</body></html>"),
    "escape-character": Bad("topic,A\nt1,\x1b[31m0.5", 2),
    "half-a-character": Bad("topic,A\n\ud800,1", 2),
}
WIDE_TABLES = {
    "header-alone": Bad("topic,A,B\n", 1),
    "one-cell": Bad("\n\ntopic", 3),
    "one-topic": Bad("topic,A,B\nt1,0.5,0.2\n"),
    "one-topic-and-summary": Bad("topic,A\n1,0.5\nall,0.5"),
    "summaries-alone": Bad("topic,A\nall,0.5\nmean,0.5"),
    "n-a": Bad("topic,A,B\nt1,0.5,0.2\n\nt2,0.5,n/a\n", 4),
    "n-a-without-ids": Bad("A,B\n0.5,0.2\n0.5,n/a\n", 3),
    "text-without-corner": Bad("A B\nt1 0.5 0.2\nt2 x 1\n", 3),
    "text-in-transposed": Bad("run,X,Y\nA,0.5,x\nB,0.3,0.1", 2),
    "nan": Bad("topic,A\nt1,0.5\nt2,NaN", 3),
    "infinite": Bad("topic,A\nt1,-inf\nt2,1", 2),
    "too-large": Bad("topic,A\nt1,1\nt2,1e999", 3),
    "underscore": Bad("topic,A\nt1,1_000\nt2,1", 2),
    "other-digits": Bad("topic,A\nt1,٠.٥\nt2,1", 2),
    "per-cent": Bad("topic,A\nt1,50%\nt2,1", 2),
    "thousands": Bad("topic;A\nt1;1.234,5\nt2;1", 2),
    "point-among-commas": Bad("topic;A;B\nt1;1;0,5\nt2;0.5;0,1", 3),
    "comma-among-points": Bad('topic,A,B\nt1,0.5,"1,234"\nt2,0.5,1', 2),
    "missing": Bad("topic,A,B\nt1,,0.2\nt2,0.5,1", 2),
    "many-missing": Bad("topic\tA\tB\tC\nt1\t1\t \t1\n\nt2\t\t\t\nt3\t\t\t1", 2),
    "none-left-without-topics": Bad("topic,A,B\n1,0.5,\n2,,0.1", choices=Choices(missing="drop-topics")),
    "none-left-without-runs": Bad("topic,A,B\n1,0.5,\n2,,0.1", choices=Choices(missing="drop-runs")),
    "missing-when-averaged": Bad(
        "topic,A,B\n1,0.5,\n1,0.5,\n2,0.3,0.1", 3, choices=Choices(repeats="average")
    ),
    "cell-short": Bad("topic,A,B\nt1,1,0\nt2,1", 3),
    "cell-too-many": Bad("topic,A,B\nt1,1,0\nt2,1,1,1", 3),
    "spaces-too-many": Bad("topic A B\nt1 1 0 1\nt2 1 1 1", 2),
    "decimal-commas": Bad("topic,A,B\nt1,0,5,0,2\nt2,0,5,1,0", 2),
    "headless-too-many": Bad("A,B\n0.1,0.2,0.3\n0.2,0.3,0.4", 2),
    "run-twice": Bad("topic,A,A\nt1,1,0\nt2,1,1", 2),
    "delimiter-at-line-end": Bad("topic,A,\nt1,1,0\nt2,1,1", 1),
    "delimiter-at-all-line-ends": Bad("run,401,402,\nA,0.5,1,\nB,0.3,0.1,", 1),
    "topic-twice": Bad("\ntopic,A\nt1,1\nt2,0\nt1,1", 5),
    "no-topic-id": Bad("topic,A\nt1,1\n,0", 3),
    "no-run-name": Bad("run,401,402\n,0.5,1\nB,0.3,0.1", 2),
    "empty-row": Bad("topic,A\nt1,1\n,", 3),
    "quote-open": Bad('topic,A\n"t1,1\nt2,0\n', 2),
    "quotes-open": Bad('topic,A\n"t1,1\n"t2,0\n', 2),
    "quote-inside": Bad('topic,A\n"t1"x,1\nt2,0', 2),
    "long-id": Bad("topic,A\n" + "x" * 60 + ",?\nt2,0", 2),
    "header-of-numbers": Bad("1,2,3\n0.1,0.2,0.3\n0.2,0.3,0.4", 1),
    # A table that resembles another format.
    "headless": Bad("Q1,0.7,0.5\nQ2,0.2,0.3", 1),
    "headless-whole": Bad("Q1,1,0\nQ2,0,1", 1),
    "headless-long-of-runs": Bad("runA 301 0.25\nrunA 302 0.5\n", 1),
    "run-file": Bad("301 Q0 FT911-3 1 0.5 tag\n301 Q0 FT911-4 2 0.4 tag\n", 1),
    "qrels-file": Bad("301 0 FT911-3 1\n301 0 FT911-4 0\n", 1),
    "measures-by-run": Bad("run,AP,nDCG@10\nA,0.5,0.6\nB,0.1,0.2", 1),
    "measures-by-anything": Bad("Web,P@5,P@10\nA,0.5,0.6\nB,0.1,0.2", 1),
    "whole-numbers-first": Bad("X,A\n5,3\n6,4", 2),
    "numbers-and-text-first": Bad("X,A\n0.1,0.3\nx,0.4", 3),
    "plain-text": Bad("hello world this is text\nand more of it", 2),
    "html": Bad("<html>\n<p>x</p>\n</html>", 1),
    **{
        f"commas-of-thousands-next-to-{other}": Bad(f"topic;A\nt1;1,234\nt2;{other}", 2)
        for other in ("2", "2,500", "-3,125")
    },
    **{
        f"cell-{name}": Bad(f"topic\tA\nt1\t{cell}\nt2\t1", 2)
        for name, cell in {
            "null": "null",
            "none": "None",
            "excel-n-a": "#N/A",
            "hyphen": "-",
            "dash": "\u2014",
            "per-cent": "12 %",
            "thousands-by-commas": "1,234.5",
            "thousands-by-points": "1.234.567,5",
            "minus-sign": "\u22120.5",
            "asterisk": "0.5*",
        }.items()
    },
    **{
        f"header-again-{name}": Bad(table * 2, 4)
        for name, table in {
            "wide": "topic,A,B\nt1,.1,.2\nt2,.3,.4\n",
            # Here each cell of the header but one would be a score.
            "by-run": "run,401,402\nA,.1,.2\nB,.3,.4\n",
            "long": "topic,run,score\n1,A,.1\n2,A,.2\n",
            "measures": "id,f1,answer\n1,.1,x\n2,.2,y\n",
        }.items()
    },
}
LONG_TABLES = {
    "header-alone": Bad("topic,run,score", 1),
    "one-topic": Bad("topic,run,score\n1,A,0.5\n1,B,0.5"),
    "text": Bad("topic,run,score\n1,A,0.5\n2,A,high", 3),
    "dash": Bad("topic,run,measure,score\n1,A,AP,0.5\n2,A,AP,-", 3),
    "missing": Bad("topic,run,score\n1,A,\n2,A,", 2),
    "nan": Bad("topic,run,score\n1,A,nan\n2,A,1", 2),
    "cell-short": Bad("topic,run,score\n1,A\n2,A,1", 2),
    "repeat": Bad("topic,run,score\n1,A,0.5\n2,A,0.5\n\n1,A,0.6", 5),
    "repeat-of-a-measure": Bad("topic,run,measure,score\n1,A,AP,0.5\n1,A,RR,0.5\n1,A,AP,0.5", 4),
    "run-lacks-topic": Bad("topic,run,score\n1,A,0.5\n1,B,0.5\n2,A,0.6"),
    "many-missing": Bad("topic,run,measure,score\n" + "\n".join(f"{i},r{i},AP,0.5" for i in range(4))),
    "no-topic-id": Bad("topic,run,score\n,A,0.5\n2,A,1", 2),
    "no-run-name": Bad("topic,run,score\n1,,0.5\n2,A,1", 2),
    "no-measure": Bad("score,topic,measure,run\n1,1,,A\n1,2,AP,A", 2),
    "headless-missing": Bad("301 A 0.5\n301 B 0.5\n302 A 0.6"),
    "headless-short": Bad("301 A 0.5\n302 A", 2),
    "headless-text": Bad("301 A 0.5\n302 A x", 2),
    "topics-chosen-as-scores": Bad(
        "topic,run,score\n1,A,0.5\n2,A,0.25\n", 1, choices=Choices(columns=("topic",))
    ),
    "summaries-alone": Bad("run,topic,score\nA,all,0.5\nB,all,0.25\n"),
}
OUTPUTS = {
    # trec_eval.
    "without-q": Bad("map\tall\t0.3\nP_5\tall\t0.2", file="A.eval"),
    "two-runs": Bad(A_EVAL + trec_eval_output("B", 0.1), 18, "A.eval"),
    "two-runs-of-no-name": Bad("map 1 .5\nP_10 1 .25\nmap 2 .125\nP_10 2 .75\nmap 3 0\nP_10 3 1\n" * 2, 7),
    "measure-not-there": Bad(A_EVAL, file="A.eval", choices=Choices(measure="bpref")),
    "text": Bad("map 301 0.5\nmap 302 high\nmap 303 .1", 2, "A.eval"),
    "topic-twice": Bad("map 301 0.5\nmap 302 .1\nmap 301 .1", 3, "A.eval"),
    "line-cut-off": Bad("map 301 0.5\nmap 302", 2, "A.eval"),
    # Columns that are measures.
    "text-in-measure": Bad("id,f1,answer\n1,0.5,x\n2,bad,y\n3,.1,z", 3),
    "no-such-column": Bad("id,f1,answer\n1,0.5,x\n2,.7,y", 1, choices=Choices(columns=("F1",))),
    "chosen-column-of-text": Bad("id,f1,answer\n1,0.5,x\n2,.7,y", 2, choices=Choices(columns=("answer",))),
    "column-twice": Bad("id,bleu,bleu\n1,0.5,.1\n2,.7,.1", 1),
    # NTCIREVAL.
    "nev-no-equals": Bad(ONE + "2 AP 0.3\n", 5, "A.nev"),
    "nev-no-value": Bad(ONE + "2 AP= \n", 5, "A.nev"),
    "nev-two-values": Bad(ONE + "2 AP= 0.3 0.4\n", 5, "A.nev"),
    "nev-text": Bad(ONE + "2 AP= x\n", 5, "A.nev"),
    "nev-nan": Bad(ONE + "2 AP= -nan\n", 5, "A.nev"),
    "nev-line-without-topic": Bad(ONE + " AP= 0.3\n", 5, "A.nev"),
    "nev-line-with-topic": Bad(ONE.replace("1 ", " ") + "2 AP= 0.3\n", 5, "A.nev"),
    "nev-two-words-before": Bad(ONE + TWO.replace("2 ", "2 A ", 1), 5, "A.nev"),
    "nev-topic-again": Bad(ONE + TWO + ONE, 9, "A.nev"),
    "nev-one-topic": Bad(ONE, file="A.nev"),
    "nev-single-intents": Bad("1 1 .5 # syslen=4\n1 1 .5 AP= 0.3\n1 2 .5 AP= 0.3\n", file="A.nevIA"),
    # The web track.
    "gdeval-other-depths": Bad(GDEVAL + GDEVAL.replace("@20", "@10"), 5),
    "gdeval-cell-short": Bad(GDEVAL + "B,1,.5\n", 5),
    "gdeval-cell-too-many": Bad(GDEVAL + "B,1,.5,.6,.7\n", 5),
    "gdeval-means-alone": Bad("runid,topic,ndcg@20,err@20\nA,amean,.4,.1\n"),
    "gdeval-header-alone": Bad("runid,topic,ndcg@20,err@20\n", 1),
    # ir_measures.
    "ir-measures-means-alone": Bad("all\tAP\t0.3\nall\tRR\t0.5\n"),
    "ir-measures-text": Bad("1\tAP\t0.3\n2\tAP\tx\n3\tAP\t.5\n", 2),
    "ir-measures-cell-short": Bad("1\tAP\t0.3\n2\tAP\n3\tAP\t.5\n", 2),
    "ir-measures-json-text": Bad(RECORD % (1, 0.5) + RECORD % (2, '"x"'), 2),
    "ir-measures-json-means-alone": Bad(RECORD % ("all", 0.5)),
    "ir-measures-json-no-topic": Bad('{"measure": "AP", "value": 0.5}\n', 1),
    # NewBestSub: its results are no scores, and it allows no gaps.
    "newbestsub-variances": Bad("10000\n11000\n", 1, "x-Var.csv"),
    "newbestsub-solutions": Bad("Cardinality,Correlation,Topics\n1,0.8,t1\n2,0.9,t1;t2\n", 1),
    # Judgments of NTCIR where scores belong.
    "ntcir-qrels": Bad("1 d1 L3\n1 d2 L0\n", 1),
    "ntcir-dqrels": Bad("1 0 d1 L3\n1 2 d2 L0\n", 1),
    # Other judgments, and probabilities of intents.
    "qrels-by-intent": Bad("401 1 d1 1\n401 2 d2 0\n", 1),
    "qrels-of-numbered-documents": Bad("401 0 11 1\n402 0 22 0\n", 1),
    "beir": Bad("query-id\tcorpus-id\tscore\n1\td1\t1\n2\td2\t1\n", 1),
    "beir-json": Bad("".join(f'{{"query-id": "{n}", "corpus-id": "d1", "score": 1}}\n' for n in (1, 2)), 1),
    "probabilities": Bad("401 1 0.5\n401 2 0.5\n402 1 0.25\n402 2 0.75\n", 1),
}
JSON = {
    "missing": Bad('{"id": 1, "f1": 0.5}\n{"id": 2, "f1": NaN}\n', 2),
    "cut-key": Bad('[{"topic": 1, "A": 0.5,\n {"topic": 2}]', 2),
    "no-comma": Bad('[{"topic": 1, "A": 0.5}\n{"topic": 2}]', 2),
    "no-end": Bad('[{"topic": 1, "A": 0.5}', 1),
    "no-object": Bad("[]"),
    "empty-object": Bad("{}", 1),
    "lists": Bad('{"AP": [0.1, 0.2]}', 1),
    "a-number": Bad('{"id": 1, "f1": 0.5}\n0.7', 2),
    "infinity": Bad('{"id": 1, "f1": Infinity}\n{"id": 2, "f1": 1}', 1),
    "key-twice": Bad('{"id": 1, "id": 2}', 1),
    "deep": Bad('{"id": 1, "a":' + '{"a":' * 30 + "1" + "}" * 31, 1),
    "very-deep": Bad('{"a":' * 100_000, 1),
    "nested-means": Bad('{"A": {"map": 0.5}, "B": {"map": 0.25}}', 1),
    "nested-unknown": Bad('\n{"A": {"x": {"map": 0.5}, "y": {"map": 0.25}}}', 2),
}
PACKED = {
    "sheet-text": Bad(sheet((2, "oops")), 3),
    "sheet-merged": Bad(workbook({"AP": TABLE}, merge="B2:C2"), 2),
    "sheet-formula": Bad(sheet((2, "=B2*2")), 3),
    "sheet-missing": Bad(workbook({"AP": (("topic", "A", "B"), (1, 0.5, None), (2, 0.1, 0.2))}), 2),
    "sheet-cell-too-many": Bad(sheet((2, 0.1, 7)), 3),
    "sheets-empty": Bad(workbook({"AP": ()})),
    "sheet-of-notes": Bad(workbook({"Notes": (("see the paper",), ("of 2016",)), "AP": TABLE}), 1),
    "workbook-entities": Bad(with_entities()),
    "workbook-cut-off": Bad(workbook({"AP": TABLE})[:-30]),
    "gz-cut-off": Bad(gzip.compress(WIDE.encode())[:-12]),
    "gz-cut-in-header": Bad(gzip.compress(WIDE.encode())[:5]),
    "gz-in-gz": Bad(gzip.compress(gzip.compress(WIDE.encode()))),
    "gz-of-bad-table": Bad(gzip.compress(b"topic,A\n1,x\n2,0.5"), 2),
    "zip-empty": Bad(zipped({})),
    "zip-hidden-only": Bad(zipped({".hidden": "x"})),
    "zip-in-zip": Bad(zipped({"w.csv": WIDE, "in.zip": zipped({"w.csv": WIDE})}), at=f"{FILE}/in.zip"),
    "zip-with-bad-table": Bad(
        zipped({"w.csv": WIDE, "d/bad.csv": "topic,A\n1,x\n2,0.5"}), 2, at=f"{FILE}/d/bad.csv"
    ),
    "zip-cut-off": Bad(zipped({"w.csv": WIDE})[:-10]),
    "zip-encrypted": Bad(encrypted(zipped({"w.csv": WIDE}))),
    "zip-run-lacks-topics": Bad(
        zipped({"A": A_EVAL, "B": trec_eval_output("B", 0.4)}), at=f"{FILE}/A, {FILE}/B"
    ),
}


@pytest.mark.parametrize(
    "cases",
    [NO_TEXT, WIDE_TABLES, LONG_TABLES, OUTPUTS, JSON, PACKED],
    ids=["no-text", "wide", "long", "outputs", "json", "packed"],
)
def test_a_bad_file_is_refused_at_its_place(cases: dict[str, Bad], golden: SnapshotAssertion) -> None:
    messages = []
    for name, bad in cases.items():
        error = unread(read_scores, bad.content, bad.file, choices=bad.choices)
        assert error.file.partition(", sheet ")[0] == (bad.at or bad.file), name
        assert error.line == bad.line, name
        assert str(error).endswith(error.expected)
        messages.append(f"{name}: {error}")
    assert "\n".join(messages) == golden


def test_a_damaged_member_is_refused(golden: SnapshotAssertion) -> None:
    error = unread(read_scores, damaged(zipped({"w.csv": WIDE * 50})), "z.zip")
    assert (error.file, error.line) == ("z.zip", None)
    assert without_reason(str(error)) == golden


def test_the_error_lists_missing_and_repeated_cells(golden: SnapshotAssertion) -> None:
    with pytest.raises(MissingScores) as missing:
        read_scores("topic,A,B\n1,0.5,\n2,0.3,0.1\n3,NA,.4", "m.csv")
    assert (missing.value.cells, missing.value.n_cells) == ((("1", "B"), ("3", "A")), 2)
    with pytest.raises(RepeatedScores) as repeated:
        read_scores("topic,run,score\n1,A,.5\n2,A,.1\n1,A,.4\n2,A,.1", "m.csv")
    assert (repeated.value.cells, repeated.value.n_cells) == ((("1", "A"), ("2", "A")), 2)
    with pytest.raises(RepeatedScores) as caught:
        read_scores(ONE + TWO + "1 AP= 0.5\n", "A.nev")
    assert (caught.value.line, caught.value.cells, caught.value.n_cells) == (9, (("1", "A"),), 1)
    assert str(caught.value) == golden


def test_a_topic_whose_scores_pyntcireval_never_wrote_is_missing_and_may_count_as_0(
    golden: SnapshotAssertion,
) -> None:
    """By hand: with no relevant document found it stops after its first line, with a TypeError."""
    content = ONE + "2 # syslen=4 jrel=3 jnonrel=1\n" + TWO.replace("2 ", "3 ")
    with pytest.raises(MissingScores) as caught:
        read_scores(content, "A.nev", "AP")
    assert (caught.value.line, caught.value.n_cells) == (5, 1)
    read = read_scores(content, "A.nev", "AP", Choices(missing="zero"))
    assert read.matrices[0].scores.tolist() == [[0.5], [0.0], [0.5]]
    assert " ".join(read.recognised) == golden


def test_one_name_for_several_measures_is_refused(golden: SnapshotAssertion) -> None:
    text = "topic,run,measure,score\n1,A,AP,0.5\n2,A,AP,0.5\n1,A,RR,0.5\n2,A,RR,0.5"
    assert len(read_scores(text, "x.csv").matrices) == 2
    check_unread(golden, ("x.csv", None), read_scores, text, "x.csv", "Q")
