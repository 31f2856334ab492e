"""Small files that fill memories: each is refused in a process with little memory, in a sentence.

Every file is one that took over 1 GB or 15 s of a processor before its contents were counted while it was read.
"""

import gzip
import json
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from typing import Any

import pytest

from tests.refusals import unread
from topicset_core.errors import ParseError
from topicset_core.execution.confined import Bounds, Confinement
from topicset_core.parsing import limits, read_qrels, read_run, read_runs, read_score_files, read_scores
from topicset_core.parsing.archives import inflate

BOUNDS = Bounds(megabytes=300, cpu_seconds=10)
"""Far below what the pages allow."""


@pytest.fixture(scope="module")
def confinement() -> Iterator[Confinement]:
    result = Confinement(("topicset_core.parsing", "openpyxl"))
    yield result
    result.end()


def packed(content: bytes) -> bytes:
    return gzip.compress(content, 1)


def zipped(members: Sequence[tuple[str, bytes]]) -> bytes:
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return file.getvalue()


def overlapping(n_members: int, content: bytes) -> bytes:
    """A zip archive whose members are all the same bytes of it."""
    one = zipped([("a.csv", content)])
    begin, end = one.index(b"PK\x01\x02"), one.rindex(b"PK\x05\x06")
    entries = one[begin:end] * n_members
    counts = (n_members, n_members, len(entries), begin)
    return one[:begin] + entries + struct.pack("<4s2H2H2IH", b"PK\x05\x06", 0, 0, *counts, 0)


_REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
CELLS = b"<row><c><v>1</v></c><c><v>.5</v></c></row><row><c><v>2</v></c><c><v>.1</v></c></row>"


def workbook(
    n_sheets: int, sheets: Sequence[bytes], strings: bytes = b"", begin: bytes = b"", defined: bytes = b""
) -> bytes:
    """A workbook by hand: its sheets are stored in these parts, in turn."""
    parts = [f"worksheets/sheet{number}.xml" for number in range(len(sheets))]
    types = "".join(
        f'<Override PartName="/xl/{part}" ContentType="{_TYPE}.worksheet+xml"/>' for part in parts
    )
    targets = [(f"r{number}", "worksheet", parts[number % len(parts)]) for number in range(n_sheets)]
    targets.append(("s", "sharedStrings", "sharedStrings.xml"))
    names = "".join(
        f'<sheet name="{number}" sheetId="{number + 1}" r:id="r{number}"/>' for number in range(n_sheets)
    )
    relations = "".join(
        f'<Relationship Id="{name}" Type="{_REL}/{kind}" Target="{target}"/>'
        for name, kind, target in targets
    )
    texts = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPE}.sheet.main+xml"/>'
        f'<Override PartName="/xl/sharedStrings.xml" ContentType="{_TYPE}.sharedStrings+xml"/>{types}</Types>',
        "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="r" Type="{_REL}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_REL}"><sheets>{names}</sheets>'
        f"{defined.decode()}</workbook>",
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
        f"{relations}</Relationships>",
    }
    main = _MAIN.encode()
    members = [(name, text.encode()) for name, text in texts.items()]
    members.append(("xl/sharedStrings.xml", b'<sst xmlns="%b">%b</sst>' % (main, strings)))
    members += [
        (
            f"xl/{part}",
            b'%b<worksheet xmlns="%b"><sheetData>%b</sheetData></worksheet>' % (begin, main, sheet),
        )
        for part, sheet in zip(parts, sheets, strict=True)
    ]
    return zipped(members)


def keys(begin: int, end: int) -> bytes:
    """Different keys of an object, each with a value."""
    return json.dumps(dict.fromkeys(range(begin, end), 1)).encode()[1:-1]


FORMULAS = (b"<row>" + b"<c><f>1</f><v>1</v></c>" * 20 + b"</row>") * 2_000
LINES, CELLS_SAID, MEMBERS = "2,000,000 lines", "10,000,000 cells", "50,000 members"
Read = Callable[..., Any]
BOMBS: dict[str, tuple[Read, str, Callable[[], bytes], str]] = {
    "files of a zip": (
        read_score_files,
        "z.zip",
        lambda: zipped([(f"{number}.csv", b"a,b\n" * 12_500) for number in range(200)]),
        LINES,
    ),
    "overlapping files of a zip": (
        read_score_files,
        "z.zip",
        lambda: overlapping(200, b"a,b\n" * 12_500),
        "files that lie apart",
    ),
    "empty objects": (read_score_files, "j.json.gz", lambda: packed(b"{}\n" * 20_000_000), LINES),
    "empty objects on one line": (read_score_files, "j.json.gz", lambda: packed(b"{}" * 20_000_000), LINES),
    "lists": (
        read_score_files,
        "j.json.gz",
        lambda: packed(b'{"a": [' + b"[]," * 12_000_000 + b"0]}"),
        CELLS_SAID,
    ),
    "keys": (read_score_files, "j.json.gz", lambda: packed(b"{" + b'"":1,' * 12_000_000), CELLS_SAID),
    # 6,000,000 keys, of 14 MB in gzip, which took 40 s and 2.1 GB.
    "keys of two objects": (
        read_score_files,
        "j.json.gz",
        lambda: packed(b"[{%b},{%b}]" % (keys(0, 3_000_000), keys(3_000_000, 6_000_000))),
        CELLS_SAID,
    ),
    "keys of objects in an object": (
        read_score_files,
        "j.json.gz",
        lambda: packed(b"{%b}" % b",".join(b'"%d":{%b}' % (n, keys(n, n + 1_000)) for n in range(6_000))),
        CELLS_SAID,
    ),
    # Fewer than may be in all rows of a table, and more than a row may have.
    "keys of one row": (
        read_score_files,
        "j.json.gz",
        lambda: packed(b"{%b}" % keys(0, 800_000)),
        "200,000 keys in an object",
    ),
    # Each name of a column is the keys on the way to its value.
    "a long key above others": (
        read_score_files,
        "j.json.gz",
        lambda: packed(b'{"a":1,"%b":{%b}}' % (b"k" * 1_000_000, keys(0, 100_000))),
        "1,000 characters",
    ),
    # 3,000 objects of one key each are a table of 9,000,000 cells, and there are 60 tables.
    "another key in each object": (
        read_score_files,
        "z.zip",
        lambda: zipped(
            [(f"{n}.json", b"[%b]" % b",".join(b'{"%d":1}' % key for key in range(3_000))) for n in range(60)]
        ),
        CELLS_SAID,
    ),
    "cells": (
        read_score_files,
        "c.csv.gz",
        lambda: packed((b"ab," * 199 + b"ab\n") * 60_000),
        CELLS_SAID,
    ),
    "strings of a workbook": (
        read_score_files,
        "w.xlsx",
        lambda: workbook(1, [CELLS], b"<si/>" * 14_000_000),
        "texts that are in cells",
    ),
    # 54 kB, which took over 20 CPU s.
    "a long text of a workbook": (
        read_score_files,
        "w.xlsx",
        lambda: workbook(
            1,
            [b"<row>%b</row>" % (b'<c t="s"><v>0</v></c>' * 500)],
            b"<si><t>%b</t></si>" % (b"a" * 50_000_000),
        ),
        "a longer text",
    ),
    "names of a workbook": (
        read_score_files,
        "w.xlsx",
        lambda: workbook(
            1,
            [CELLS],
            defined=b"<definedNames>%b</definedNames>" % (b'<definedName name="a">1</definedName>' * 600_000),
        ),
        "styles, names and other elements",
    ),
    "sheets with formulas": (read_score_files, "w.xlsx", lambda: workbook(100, [FORMULAS] * 100), CELLS_SAID),
    "sheets in one part": (read_score_files, "w.xlsx", lambda: workbook(3_000, [CELLS]), "one part"),
    "members of gzip": (
        read_score_files,
        "c.csv.gz",
        lambda: gzip.compress(b"") * 50_001 + packed(b"topic,a\n1,.1\n2,.2\n"),
        MEMBERS,
    ),
    "one line again and again": (
        read_runs,
        "r.run",
        lambda: b"1 Q0 d 1 1 t\n" * 2_000_000,
        "each document once in a topic",
    ),
    "one long id": (
        read_runs,
        "r.run",
        lambda: (
            b"1 Q0 %b 1 1 t\n" % (b"x" * 500) + b"".join(b"1 Q0 %d 1 1 t\n" % n for n in range(1_000_000))
        ),
        "500 MB of memory",
    ),
}


@pytest.mark.parametrize(("read", "file", "content", "said"), BOMBS.values(), ids=BOMBS)
def test_a_small_file_is_refused_with_little_memory(
    read: Read, file: str, content: Callable[[], bytes], said: str, confinement: Confinement
) -> None:
    (error,) = confinement.call(read, [(file, content())], bounds=BOUNDS).errors
    assert isinstance(error, ParseError)
    assert error.file.startswith(file)
    assert said in error.expected


def test_what_fits_is_read_after_a_file_that_does_not() -> None:
    table = b"topic,a,b\n1,.1,.2\n2,.3,.4\n"
    read = read_score_files([("t.csv", table), ("w.json", b"{}" * 2_000_001), ("u.csv", table)])
    assert [matrix.name for matrix in read.matrices] == ["t"]
    assert [error.file for error in read.errors] == ["w.json", "u.csv"]


def test_the_budget_is_of_all_files_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_CELLS", 30)
    table = "topic,a,b\n1,.1,.2\n2,.3,.4\n"  # 9 cells
    read = read_score_files([(f"{number}.csv", table) for number in range(4)])
    assert (len(read.matrices), [error.file for error in read.errors]) == (3, ["3.csv"])


@pytest.mark.parametrize(("limit", "said"), [("MOST_TOPICS", "topics"), ("MOST_LINES_OF_FILE", "lines")])
def test_topics_and_lines_of_a_run_are_counted(
    limit: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = b"".join(b"%d Q0 d 1 1 t\n" % number for number in range(10))
    monkeypatch.setattr(limits, limit, 10)
    assert len(read_run("r", content).run.topics) == 10
    monkeypatch.setattr(limits, limit, 9)
    assert unread(lambda content, file: read_run(file, content), content, "r").expected == (
        f"expected at most 9 {said} in a file, found more"
    )


def test_intents_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    by_intent = b"1 1 d 1\n" + b"".join(b"1 %d d 0\n" % number for number in range(2, 11))
    ignored = b"".join(b"1 %d d%d 1\n" % (number, number) for number in range(10))
    monkeypatch.setattr(limits, "MOST_INTENTS", 9)
    error = unread(lambda content, file: read_qrels(file, content), by_intent, "q")
    assert error.expected == "expected at most 9 intents in the second column, found 10"
    assert read_qrels("q", ignored).by_intent is None
    monkeypatch.setattr(limits, "MOST_INTENTS", 10)
    assert read_qrels("q", ignored).by_intent is not None


def test_lines_that_are_read_one_by_one_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_LEVELS", 3)
    content = b"".join(b"1 d%d L1\n" % number for number in range(4))
    error = unread(lambda content, file: read_qrels(file, content), content, "q")
    assert error.expected == "expected at most 3 lines of this kind, found more"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_document_types_are_refused_wherever_they_are(encoding: str) -> None:
    begin = ("<!----->" * (1 << 17))[5:] + "<!DOCTYPE a>"  # across the end of the first piece
    content = workbook(1, [CELLS], begin=begin.encode(encoding))
    assert "document types" in unread(read_scores, content, "w.xlsx").expected


TWINS = {
    "runs of scores": (read_scores, "topic,ab,a\u200bb\n1,.1,.2\n2,.3,.4\n", "run name"),
    "topics of scores": (read_scores, "topic,a\n1,.1\n1\u2060,.2\n3,.3\n", "topic id"),
    "topics of a run": (
        lambda content, file: read_run(file, content.encode()),
        "1 Q0 d 1 1 t\n1\u00ad Q0 d 1 1 t\n",
        "topic id",
    ),
}


@pytest.mark.parametrize(("read", "text", "what"), TWINS.values(), ids=TWINS)
def test_names_that_look_the_same_are_refused(read: Read, text: str, what: str) -> None:
    assert unread(read, text, "t.csv").expected.startswith(f"expected each {what} to look different")


def test_runs_whose_tags_look_the_same_are_refused() -> None:
    files = [(name, f"1 Q0 d 1 1 {tag}\n".encode()) for name, tag in (("r", "ab"), ("s", "a\u200bb"))]
    read = read_runs(files)
    assert [one.run.tag for one in read.items] == ["ab"]
    assert [(error.file, "'ab' and 'a\\u200bb'" in str(error)) for error in read.errors] == [("s", True)]


@pytest.mark.parametrize("damaged", [False, True])
def test_zlib_without_memory_is_no_damaged_file(monkeypatch: pytest.MonkeyPatch, damaged: bool) -> None:
    # -4 is Z_MEM_ERROR of zlib.h, -3 Z_DATA_ERROR; Python raises the same error for both.
    text = f"Error {-3 if damaged else -4} while decompressing data"

    class Inflater:
        eof, unconsumed_tail, unused_data = False, b"", b""

        def decompress(self, *_: object) -> bytes:
            raise zlib.error(text)

    monkeypatch.setattr(zlib, "decompressobj", lambda **_: Inflater())
    with pytest.raises(ParseError if damaged else MemoryError):
        list(inflate(gzip.compress(b"topic,a,b\n1,.1,.2\n"), "scores.csv.gz"))
