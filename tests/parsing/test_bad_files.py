"""Files that are refused: what is said of each, with its place.

Every row of the table: file name, content, choices, and the whole message.
"""

# ruff: noqa: E501 - rows of a table
import gzip
import io
import zipfile
from typing import Any

import pytest

from tests.parsing.packed import TABLE, trec_eval_output, workbook, zipped
from topicset_core.errors import ParseError
from topicset_core.parsing import Choices, MissingScores, RepeatedScores, read_scores

WIDE = "topic,A,B\n1,0.5,0.2\n2,0.3,0.1\n"
A_EVAL = trec_eval_output("A", 0.1, 0.2, 0.3)
CHOOSE = "Choose to drop those topics, to drop those runs or to count them as 0"
AGAIN = "copy or download it again"


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


# fmt: off
BAD: list[tuple[str, str | bytes, dict[str, Any], str]] = [
    # No table at all.
    ("e.csv", b"", {}, "e.csv: expected a table of scores, found an empty file"),
    ("e.csv", b"\xff\xfe", {}, "e.csv: expected a table of scores, found an empty file"),
    ("pasted text", " \n\t", {}, "pasted text: expected a table of scores, found an empty file"),
    ("l1.csv", b"topic,A\n1,0.5\ncaf\xe9,0.1", {}, "l1.csv, line 3: expected UTF-8 text, found the byte 0xE9 that does not belong there; save the file as UTF-8 text"),
    ("p.pdf", b"%PDF-1.4", {}, "p.pdf: is a PDF document, expected text such as CSV"),
    ("o.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", {}, "o.xls: is an old Excel workbook or another Office file, expected text such as CSV"),
    ("t.csv", "topic,A\n1,0.5", {}, "t.csv: expected at least 2 topics, found only '1'"),
    ("t.csv", "topic,A\n1,0.5\nall,0.5", {}, "t.csv: expected at least 2 topics, found only '1'"),
    ("t.csv", "topic,A\nall,0.5\nmean,0.5", {}, "t.csv: expected at least 1 run, found none"),
    # Cells.
    ("c.csv", "topic,A,B\n1,0.5,n/a\n2,0.3,0.1", {}, "c.csv, line 2: topic '1', run 'B', column 3: expected a number, found 'n/a'; leave the cell empty, or write NA, if the score is missing"),
    ("c.csv", "topic,A,B\n1,0.5,inf\n2,0.3,0.1", {}, "c.csv, line 2: topic '1', run 'B', column 3: expected a finite number, found 'inf'"),
    ("c.csv", "run,X,Y\nA,0.5,x\nB,0.3,0.1", {}, "c.csv, line 2: topic 'Y', run 'A', column 3: expected a number, found 'x'"),
    ("c.csv", "topic,title,A\n1,foo,0.1\n2,bar,0.2", {}, "c.csv, line 2: topic '1', run 'title', column 2: expected a number, found 'foo'"),
    ("c.csv", "run,401,402,\nA,0.5,1,\nB,0.3,0.1,", {}, "c.csv, line 1: expected a topic id in column 4, found an empty cell (do all lines end with a delimiter?)"),
    ("c.csv", "run,401,402\n,0.5,1\nB,0.3,0.1", {}, "c.csv, line 2: expected a run name in column 1, found an empty cell"),
    ("c.csv", "1,2,3\n0.1,0.2,0.3\n0.2,0.3,0.4", {}, "c.csv, line 1: expected a header row: 'topic' and the runs in a wide table, 'topic', 'run' and 'score' in a long one; found the number '2'"),
    # Missing and repeated.
    ("m.csv", "topic,A,B\n1,0.5,\n2,0.3,0.1\n3,NA,.4", {}, f"m.csv, line 2: expected a score of every run on every topic, but 2 are missing: topic '1', run 'B', column 3 (line 2); topic '3', run 'A', column 2 (line 4). {CHOOSE}"),
    ("m.csv", "topic,A,B\n1,0.5,\n2,,0.1", {"missing": "drop-topics"}, "m.csv: expected at least 2 topics, found none once those topics with missing scores are dropped"),
    ("m.csv", "topic,A,B\n1,0.5,\n2,,0.1", {"missing": "drop-runs"}, "m.csv: expected at least 1 run, found none once those runs with missing scores are dropped"),
    ("m.csv", "topic,A,A\n1,0.5,.2\n2,.1,0.1", {}, "m.csv, line 2: expected one score for topic '1', run 'A', found another in column 2 of the same line (2 cells are repeated in all); remove them, or choose to average repeats"),
    ("m.jsonl", '{"id": 1, "f1": 0.5}\n{"id": 2, "f1": NaN}\n', {}, f"m.jsonl, line 2: expected a score of every run on every topic, measure 'f1', but 1 is missing: topic '2', measure 'f1' (line 2). {CHOOSE}"),
    ("m.csv", "topic,A,B\n1,0.5,\n1,0.5,\n2,0.3,0.1", {"repeats": "average"}, f"m.csv, line 3: expected a score of every run on every topic, but 1 is missing: topic '1', run 'B', column 3 (line 3). {CHOOSE}"),
    # Not scores, or not of single topics.
    ("run", "301 Q0 D1 1 0.5 tag", {}, "run, line 1: expected scores of runs on topics, found a ranking of documents (topic, Q0, document, rank, score, tag); its scores are computed from it and relevance judgments"),
    ("qrels", "301 0 D1 1\n301 0 D2 0", {}, "qrels, line 1: expected scores of runs on topics, found relevance judgments (topic, iteration, document, grade); scores are computed from them and rankings"),
    ("means.csv", "run,map,P_10\nA,.1,.2\nB,.2,.3", {}, "means.csv, line 1: expected names of topics, scored by one measure, found only names of measures: 'map', 'P_10'"),
    ("A.eval", "map\tall\t0.3\nP_5\tall\t0.2", {}, "A.eval: expected scores of single topics, found only summary rows; call trec_eval with -q"),
    ("A.eval", A_EVAL + trec_eval_output("B", 0.1), {}, "A.eval, line 18: expected the output for one run, found those of 'A', 'B'; save each to a file of its own"),
    ("A.eval", A_EVAL, {"measure": "bpref"}, "A.eval: expected scores of one measure, 'bpref', found 2: 'map', 'P_10'"),
    ("A.eval", "map 301 0.5\nmap 302 high\nmap 303 .1", {}, "A.eval, line 2: topic '302', measure 'map': expected a number, found 'high'"),
    ("A.eval", "map 301 0.5\nmap 302 .1\nmap 301 .1", {}, "A.eval, line 3: expected one score for topic '301', run 'A', measure 'map', found another on line 1; remove them, or choose to average repeats"),
    ("A.eval", "map 301 0.5\nmap 302", {}, "A.eval, line 2: expected 3 cells, as in line 1, found 2 (cells are separated by spaces)"),
    # Columns that are measures.
    ("r.csv", "id,f1,answer\n1,0.5,x\n2,bad,y\n3,.1,z", {}, "r.csv, line 3: topic '2', measure 'f1': expected a number, found 'bad'"),
    ("r.csv", "id,f1,answer\n1,0.5,x\n2,.7,y", {"columns": ("F1",)}, "r.csv, line 1: expected the chosen column 'F1', found the columns 'id', 'f1', 'answer'"),
    ("r.csv", "id,f1,answer\n1,0.5,x\n2,.7,y", {"columns": ("answer",)}, "r.csv, line 2: topic '1', measure 'answer': expected a number, found 'x'"),
    ("r.csv", "topic,run,score,fold\n1,A,.5,x\n2,A,.4,y", {}, "r.csv, line 1: expected no columns but topic, system, score and measure in a long table, found 'fold' in column 4; remove it, or it could hide that scores are repeats"),
    ("r.csv", "id,bleu,bleu\n1,0.5,.1\n2,.7,.1", {}, "r.csv, line 1: expected each column once, found 'bleu' in column 2 and column 3"),
    # JSON.
    ("j.json", '[{"topic": 1, "A": 0.5,\n {"topic": 2}]', {}, "j.json, line 2: expected valid JSON: Expecting property name enclosed in double quotes"),
    ("j.json", '[{"topic": 1, "A": 0.5}\n{"topic": 2}]', {}, "j.json, line 2: expected a comma or ] after an object of the array"),
    ("j.json", '[{"topic": 1, "A": 0.5}', {}, "j.json, line 1: expected ] at the end of the array, found the end of the file"),
    ("j.json", "[]", {}, "j.json: expected JSON objects with scores, found none"),
    ("j.json", "{}", {}, "j.json, line 1: expected JSON objects with scores, found an empty one"),
    ("j.json", '{"AP": [0.1, 0.2]}', {}, "j.json, line 1: expected a column of scores, found 'AP', none of which holds numbers"),
    ("j.jsonl", '{"id": 1, "f1": 0.5}\n0.7', {}, "j.jsonl, line 2: expected an object, as in {\"topic\": 1, \"AP\": 0.5}, found '0.7'"),
    ("j.jsonl", '{"id": 1, "f1": Infinity}\n{"id": 2, "f1": 1}', {}, "j.jsonl, line 1: topic '1', measure 'f1': expected a finite number, found 'Infinity'"),
    ("j.jsonl", '{"id": 1, "id": 2}', {}, "j.jsonl, line 1: expected each key once in an object, found 'id' twice"),
    ("j.jsonl", '{"a":' * 30 + "1" + "}" * 30, {}, "j.jsonl, line 1: expected objects within objects to a depth of at most 20, found more"),
    ("j.jsonl", '{"a":' * 100_000, {}, "j.jsonl, line 1: expected objects within objects to a depth of at most 20, found more"),
    # Workbooks.
    ("w.xlsx", workbook({"AP": (("topic", "A"), (1, 0.5), (2, "oops"))}), {}, "w.xlsx, sheet 'AP', line 3: topic '2', run 'A', cell B3: expected a number, found 'oops'"),
    ("w.xlsx", workbook({"AP": TABLE}, merge="B2:C2"), {}, "w.xlsx, sheet 'AP', line 2: expected no merged cells, found B2:C2 merged; split them and fill each cell"),
    ("w.xlsx", workbook({"AP": (("topic", "A"), (1, 0.5), (2, "=B2*2"))}), {}, "w.xlsx, sheet 'AP', line 3: cell B3: expected a value, found the formula '=B2*2' whose value was not saved; open the workbook in Excel or LibreOffice and save it"),
    ("w.xlsx", workbook({"AP": (("topic", "A", "B"), (1, 0.5, None), (2, 0.1, 0.2))}), {}, f"w.xlsx, sheet 'AP', line 2: expected a score of every run on every topic, but 1 is missing: topic '1', run 'B', cell C2 (line 2). {CHOOSE}"),
    ("w.xlsx", workbook({"AP": (("topic", "A"), (1, 0.5), (2, 0.1, 7))}), {}, "w.xlsx, sheet 'AP', line 3: expected 2 cells, as in line 1, found 3 (cells are those of the sheet)"),
    ("w.xlsx", workbook({"AP": ()}), {}, "w.xlsx: expected a sheet with a table of scores, found only empty sheets"),
    ("w.xlsx", workbook({"Notes": (("see the paper",), ("of 2016",)), "AP": TABLE}), {}, "w.xlsx, sheet 'Notes', line 2: topic '1', run 'see the paper', cell A2: expected a number, found 'of 2016'"),
    ("w.xlsx", with_entities(), {}, "w.xlsx: expected a workbook without document types, found one in 'xl/extra.xml'"),
    ("w.xlsx", workbook({"AP": TABLE})[:-30], {}, f"w.xlsx: expected a whole zip archive, found a damaged one (File is not a zip file); {AGAIN}"),
    # Archives.
    ("w.csv.gz", gzip.compress(WIDE.encode())[:-12], {}, f"w.csv.gz: expected a whole gzip file, found one that is cut off; {AGAIN}"),
    ("w.csv.gz", gzip.compress(WIDE.encode())[:5], {}, f"w.csv.gz: expected a whole gzip file, found one that is cut off; {AGAIN}"),
    ("w.csv.gz", gzip.compress(gzip.compress(WIDE.encode())), {}, "w.csv.gz: expected a file of scores in the archive, found another archive"),
    ("w.csv.gz", gzip.compress(b"topic,A\n1,x\n2,0.5"), {}, "w.csv.gz, line 2: topic '1', run 'A', column 2: expected a number, found 'x'"),
    ("z.zip", zipped({}), {}, "z.zip: expected files of scores in the archive, found an empty zip archive"),
    ("z.zip", zipped({".hidden": "x"}), {}, "z.zip: expected files of scores in the archive, found none"),
    ("z.zip", zipped({"w.csv": WIDE, "in.zip": zipped({"w.csv": WIDE})}), {}, "z.zip/in.zip: expected a file of scores in the archive, found another archive"),
    ("z.zip", zipped({"w.csv": WIDE, "d/bad.csv": "topic,A\n1,x\n2,0.5"}), {}, "z.zip/d/bad.csv, line 2: topic '1', run 'A', column 2: expected a number, found 'x'"),
    ("z.zip", zipped({"w.csv": WIDE})[:-10], {}, f"z.zip: expected a whole zip archive, found a damaged one (File is not a zip file); {AGAIN}"),
    ("z.zip", encrypted(), {}, "z.zip: expected an archive without a password, found 'w.csv' encrypted"),
    ("z.zip", zipped({"A": A_EVAL, "B": trec_eval_output("B", 0.4)}), {}, f"z.zip/A, z.zip/B: expected a score of every run on every topic, measure 'map', but 2 are missing: topic '302', run 'B'; topic '303', run 'B'. {CHOOSE}"),
]
# fmt: on


@pytest.mark.parametrize(
    ("file", "content", "choices", "said"),
    BAD,
    ids=[f"{number}-{case[0]}" for number, case in enumerate(BAD)],
)
def test_bad_file_is_refused_and_said_why(
    file: str, content: str | bytes, choices: dict[str, Any], said: str
) -> None:
    with pytest.raises(ParseError) as caught:
        read_scores(content, file, choices=Choices(**choices))
    assert str(caught.value) == said


def test_a_damaged_member_is_refused() -> None:
    with pytest.raises(ParseError, match=r"^z\.zip: expected a whole zip archive, found a damaged one \("):
        read_scores(damaged_zip(), "z.zip")


def test_missing_and_repeated_cells_come_with_the_error() -> None:
    with pytest.raises(MissingScores) as missing:
        read_scores("topic,A,B\n1,0.5,\n2,0.3,0.1\n3,NA,.4", "m.csv")
    assert (missing.value.cells, missing.value.n_cells) == ((("1", "B"), ("3", "A")), 2)
    with pytest.raises(RepeatedScores) as repeated:
        read_scores("topic,run,score\n1,A,.5\n2,A,.1\n1,A,.4\n2,A,.1", "m.csv")
    assert (repeated.value.cells, repeated.value.n_cells) == ((("1", "A"), ("2", "A")), 2)
