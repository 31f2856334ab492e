"""Files that contain no text, refused with file and line; the golden record contains the words."""

import io
import zipfile

from syrupy.assertion import SnapshotAssertion

from tests.parsing.refusals import table_refusals


def zipped(*members: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for member in members:
            archive.writestr(member, "x" * 100)
    return file.getvalue()


FILES: dict[str, tuple[bytes | str, int | None]] = {
    "empty-text": ("", None),
    "empty-bytes": (b"", None),
    "blank-with-mark": (b"\xef\xbb\xbf\r\n \t \n", None),
    "no-workbook": (zipped("[Content_Types].xml", "xl/workbook.xml"), None),
    "old-excel": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 ...", None),
    "pdf": (b"%PDF-1.7\n%\xe2", None),
    "no-utf-8": (b"topic,A\r\nt1,0.5\r\ncaf\xe9,1\r\n", 3),
    "no-utf-16": ("a\nb".encode("utf-16") + b"\x00", 2),
    "utf-16-without-mark": ("topic,A\nt1,0.5\nt2,1\n".encode("utf-16-le"), 1),
    "escape-character": ("topic,A\nt1,\x1b[31m0.5", 2),
    "half-a-character": ("topic,A\n\ud800,1", 2),
}


def test_file_is_refused_at_its_place(golden: SnapshotAssertion) -> None:
    assert table_refusals(FILES) == golden
