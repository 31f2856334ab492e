"""Files that are refused, each with its place; the golden record contains its notes.

Every row of the table: file name, content, choices, and the file and line that the error names.
"""

import gzip
import io
import zipfile
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.parsing.packed import TABLE, trec_eval_output, without_reason, workbook, zipped
from topicset_core.errors import ParseError
from topicset_core.parsing import Choices, MissingScores, RepeatedScores, read_scores

WIDE = "topic,A,B\n1,0.5,0.2\n2,0.3,0.1\n"
A_EVAL = trec_eval_output("A", 0.1, 0.2, 0.3)


def encrypted() -> bytes:
    """A zip archive whose member claims to be encrypted: bit 0 of its flags, in both headers."""
    content = bytearray(zipped({"w.csv": WIDE}))
    content[6] |= 1
    content[content.index(b"PK\x01\x02") + 8] |= 1
    return bytes(content)


def with_entities() -> bytes:
    """A workbook with a document type in one of its parts."""
    file = io.BytesIO(workbook({"AP": TABLE}))
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr("xl/extra.xml", '<!DOCTYPE x [<!ENTITY a "aaaa">]><x>&a;</x>')
    return file.getvalue()


def damaged_zip() -> bytes:
    """One byte of the packed content is another one."""
    content = bytearray(zipped({"w.csv": WIDE * 50}))
    content[40] ^= 0xFF
    return bytes(content)


BAD: dict[str, tuple[str, str | bytes, dict[str, Any], str, int | None]] = {
    # No table at all.
    "empty": ("e.csv", b"", {}, "e.csv", None),
    "byte-order-mark-alone": ("e.csv", b"\xff\xfe", {}, "e.csv", None),
    "blank": ("pasted text", " \n\t", {}, "pasted text", None),
    "no-utf-8": ("l1.csv", b"topic,A\n1,0.5\ncaf\xe9,0.1", {}, "l1.csv", 3),
    "pdf": ("p.pdf", b"%PDF-1.4", {}, "p.pdf", None),
    "old-excel": ("o.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", {}, "o.xls", None),
    "one-topic": ("t.csv", "topic,A\n1,0.5", {}, "t.csv", None),
    "one-topic-and-summary": ("t.csv", "topic,A\n1,0.5\nall,0.5", {}, "t.csv", None),
    "summaries-alone": ("t.csv", "topic,A\nall,0.5\nmean,0.5", {}, "t.csv", None),
    # Cells.
    "n-a": ("c.csv", "topic,A,B\n1,0.5,n/a\n2,0.3,0.1", {}, "c.csv", 2),
    "infinite": ("c.csv", "topic,A,B\n1,0.5,inf\n2,0.3,0.1", {}, "c.csv", 2),
    "text-in-transposed": ("c.csv", "run,X,Y\nA,0.5,x\nB,0.3,0.1", {}, "c.csv", 2),
    "column-of-text": ("c.csv", "topic,title,A\n1,foo,0.1\n2,bar,0.2", {}, "c.csv", 2),
    "delimiter-at-line-end": ("c.csv", "run,401,402,\nA,0.5,1,\nB,0.3,0.1,", {}, "c.csv", 1),
    "no-run-name": ("c.csv", "run,401,402\n,0.5,1\nB,0.3,0.1", {}, "c.csv", 2),
    "header-of-numbers": ("c.csv", "1,2,3\n0.1,0.2,0.3\n0.2,0.3,0.4", {}, "c.csv", 1),
    # Missing and repeated.
    "missing": ("m.csv", "topic,A,B\n1,0.5,\n2,0.3,0.1\n3,NA,.4", {}, "m.csv", 2),
    "none-left-without-topics": (
        "m.csv",
        "topic,A,B\n1,0.5,\n2,,0.1",
        {"missing": "drop-topics"},
        "m.csv",
        None,
    ),
    "none-left-without-runs": ("m.csv", "topic,A,B\n1,0.5,\n2,,0.1", {"missing": "drop-runs"}, "m.csv", None),
    "run-twice": ("m.csv", "topic,A,A\n1,0.5,.2\n2,.1,0.1", {}, "m.csv", 2),
    "missing-in-json": ("m.jsonl", '{"id": 1, "f1": 0.5}\n{"id": 2, "f1": NaN}\n', {}, "m.jsonl", 2),
    "missing-when-averaged": (
        "m.csv",
        "topic,A,B\n1,0.5,\n1,0.5,\n2,0.3,0.1",
        {"repeats": "average"},
        "m.csv",
        3,
    ),
    # Not scores, or not of single topics.
    "run-file": ("run", "301 Q0 D1 1 0.5 tag", {}, "run", 1),
    "qrels-file": ("qrels", "301 0 D1 1\n301 0 D2 0", {}, "qrels", 1),
    "means-by-run": ("means.csv", "run,map,P_10\nA,.1,.2\nB,.2,.3", {}, "means.csv", 1),
    "trec-eval-without-q": ("A.eval", "map\tall\t0.3\nP_5\tall\t0.2", {}, "A.eval", None),
    "two-runs-in-output": ("A.eval", A_EVAL + trec_eval_output("B", 0.1), {}, "A.eval", 18),
    "measure-not-there": ("A.eval", A_EVAL, {"measure": "bpref"}, "A.eval", None),
    "text-in-output": ("A.eval", "map 301 0.5\nmap 302 high\nmap 303 .1", {}, "A.eval", 2),
    "topic-twice-in-output": ("A.eval", "map 301 0.5\nmap 302 .1\nmap 301 .1", {}, "A.eval", 3),
    "line-cut-off": ("A.eval", "map 301 0.5\nmap 302", {}, "A.eval", 2),
    # Columns that are measures.
    "text-in-measure": ("r.csv", "id,f1,answer\n1,0.5,x\n2,bad,y\n3,.1,z", {}, "r.csv", 3),
    "no-such-column": ("r.csv", "id,f1,answer\n1,0.5,x\n2,.7,y", {"columns": ("F1",)}, "r.csv", 1),
    "chosen-column-of-text": ("r.csv", "id,f1,answer\n1,0.5,x\n2,.7,y", {"columns": ("answer",)}, "r.csv", 2),
    "column-too-many": ("r.csv", "topic,run,score,fold\n1,A,.5,x\n2,A,.4,y", {}, "r.csv", 1),
    "column-twice": ("r.csv", "id,bleu,bleu\n1,0.5,.1\n2,.7,.1", {}, "r.csv", 1),
    # JSON.
    "json-cut-key": ("j.json", '[{"topic": 1, "A": 0.5,\n {"topic": 2}]', {}, "j.json", 2),
    "json-no-comma": ("j.json", '[{"topic": 1, "A": 0.5}\n{"topic": 2}]', {}, "j.json", 2),
    "json-no-end": ("j.json", '[{"topic": 1, "A": 0.5}', {}, "j.json", 1),
    "json-no-object": ("j.json", "[]", {}, "j.json", None),
    "json-empty-object": ("j.json", "{}", {}, "j.json", 1),
    "json-lists": ("j.json", '{"AP": [0.1, 0.2]}', {}, "j.json", 1),
    "jsonl-a-number": ("j.jsonl", '{"id": 1, "f1": 0.5}\n0.7', {}, "j.jsonl", 2),
    "jsonl-infinity": ("j.jsonl", '{"id": 1, "f1": Infinity}\n{"id": 2, "f1": 1}', {}, "j.jsonl", 1),
    "jsonl-key-twice": ("j.jsonl", '{"id": 1, "id": 2}', {}, "j.jsonl", 1),
    "jsonl-deep": ("j.jsonl", '{"a":' * 30 + "1" + "}" * 30, {}, "j.jsonl", 1),
    "jsonl-very-deep": ("j.jsonl", '{"a":' * 100_000, {}, "j.jsonl", 1),
    # Workbooks.
    "sheet-text": (
        "w.xlsx",
        workbook({"AP": (("topic", "A"), (1, 0.5), (2, "oops"))}),
        {},
        "w.xlsx",
        3,
    ),
    "sheet-merged": ("w.xlsx", workbook({"AP": TABLE}, merge="B2:C2"), {}, "w.xlsx", 2),
    "sheet-formula": (
        "w.xlsx",
        workbook({"AP": (("topic", "A"), (1, 0.5), (2, "=B2*2"))}),
        {},
        "w.xlsx",
        3,
    ),
    "sheet-missing": (
        "w.xlsx",
        workbook({"AP": (("topic", "A", "B"), (1, 0.5, None), (2, 0.1, 0.2))}),
        {},
        "w.xlsx",
        2,
    ),
    "sheet-cell-too-many": (
        "w.xlsx",
        workbook({"AP": (("topic", "A"), (1, 0.5), (2, 0.1, 7))}),
        {},
        "w.xlsx",
        3,
    ),
    "sheets-empty": ("w.xlsx", workbook({"AP": ()}), {}, "w.xlsx", None),
    "sheet-of-notes": (
        "w.xlsx",
        workbook({"Notes": (("see the paper",), ("of 2016",)), "AP": TABLE}),
        {},
        "w.xlsx",
        2,
    ),
    "workbook-entities": ("w.xlsx", with_entities(), {}, "w.xlsx", None),
    "workbook-cut-off": ("w.xlsx", workbook({"AP": TABLE})[:-30], {}, "w.xlsx", None),
    # Archives.
    "gz-cut-off": ("w.csv.gz", gzip.compress(WIDE.encode())[:-12], {}, "w.csv.gz", None),
    "gz-cut-in-header": ("w.csv.gz", gzip.compress(WIDE.encode())[:5], {}, "w.csv.gz", None),
    "gz-in-gz": ("w.csv.gz", gzip.compress(gzip.compress(WIDE.encode())), {}, "w.csv.gz", None),
    "gz-of-bad-table": ("w.csv.gz", gzip.compress(b"topic,A\n1,x\n2,0.5"), {}, "w.csv.gz", 2),
    "zip-empty": ("z.zip", zipped({}), {}, "z.zip", None),
    "zip-hidden-only": ("z.zip", zipped({".hidden": "x"}), {}, "z.zip", None),
    "zip-in-zip": (
        "z.zip",
        zipped({"w.csv": WIDE, "in.zip": zipped({"w.csv": WIDE})}),
        {},
        "z.zip/in.zip",
        None,
    ),
    "zip-with-bad-table": (
        "z.zip",
        zipped({"w.csv": WIDE, "d/bad.csv": "topic,A\n1,x\n2,0.5"}),
        {},
        "z.zip/d/bad.csv",
        2,
    ),
    "zip-cut-off": ("z.zip", zipped({"w.csv": WIDE})[:-10], {}, "z.zip", None),
    "zip-encrypted": ("z.zip", encrypted(), {}, "z.zip", None),
    "zip-run-lacks-topics": (
        "z.zip",
        zipped({"A": A_EVAL, "B": trec_eval_output("B", 0.4)}),
        {},
        "z.zip/A, z.zip/B",
        None,
    ),
}


def test_a_bad_file_is_refused_with_a_reason(golden: SnapshotAssertion) -> None:
    messages = []
    for name, (file, content, choices, at, line) in BAD.items():
        with pytest.raises(ParseError) as caught:
            read_scores(content, file, choices=Choices(**choices))
        assert caught.value.file.startswith(at), name  # and perhaps the name of a sheet
        assert caught.value.line == line, name
        messages.append(f"{name}: {caught.value}")
    assert "\n".join(messages) == golden


def test_a_damaged_member_is_refused(golden: SnapshotAssertion) -> None:
    with pytest.raises(ParseError) as caught:
        read_scores(damaged_zip(), "z.zip")
    assert (caught.value.file, caught.value.line) == ("z.zip", None)
    assert without_reason(str(caught.value)) == golden


def test_the_error_lists_missing_and_repeated_cells() -> None:
    with pytest.raises(MissingScores) as missing:
        read_scores("topic,A,B\n1,0.5,\n2,0.3,0.1\n3,NA,.4", "m.csv")
    assert (missing.value.cells, missing.value.n_cells) == ((("1", "B"), ("3", "A")), 2)
    with pytest.raises(RepeatedScores) as repeated:
        read_scores("topic,run,score\n1,A,.5\n2,A,.1\n1,A,.4\n2,A,.1", "m.csv")
    assert (repeated.value.cells, repeated.value.n_cells) == ((("1", "A"), ("2", "A")), 2)
