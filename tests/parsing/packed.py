"""Shared by tests of import: archives, workbooks and outputs of trec_eval made on the spot."""

import io
import re
import zipfile
from collections.abc import Mapping, Sequence

import openpyxl

Rows = Sequence[Sequence[object]]

TABLE: Rows = (("topic", "A", "B"), (1, 0.5, 0.2), (2, 0.3, 0.1))


def zipped(members: Mapping[str, str | bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file.getvalue()


def encrypted(archive: bytes) -> bytes:
    """A zip archive whose member claims to be encrypted: bit 0 of its flags, in both headers."""
    content = bytearray(archive)
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(mark) + at] |= 1
    return bytes(content)


def damaged(archive: bytes) -> bytes:
    """Some bytes of the packed content are other ones."""
    return archive[:40] + bytes(20) + archive[60:]


def workbook(sheets: dict[str, Rows], merge: str | None = None) -> bytes:
    """An xlsx file; `merge` names cells of the first sheet to merge."""
    book = openpyxl.Workbook()
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
    del book["Sheet"]
    if merge:
        book.worksheets[0].merge_cells(merge)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def without_reason(message: str) -> str:
    """Leave out the words of a library in parentheses: its next version may choose others."""
    return re.sub(r"\(.*\)", "(...)", message)


def trec_eval_output(run: str, *scores: float, measures: Sequence[str] = ("map", "P_10")) -> str:
    """What trec_eval -q prints of one run, topics 301 and on; every measure has the same scores."""
    rows = [
        f"{measure:22}\t{topic}\t{score:.4f}"
        for topic, score in enumerate(scores, start=301)
        for measure in ("num_rel", *measures)
    ]
    rows += [f"{'runid':22}\tall\t{run}", f"{'num_q':22}\tall\t{len(scores)}", f"{'gm_map':22}\tall\t0.1"]
    rows += [f"{measure:22}\tall\t{sum(scores) / len(scores):.4f}" for measure in measures]
    return "\n".join(rows) + "\n"
