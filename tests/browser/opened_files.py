"""Opens downloads as their programs do."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

if TYPE_CHECKING:
    from playwright.sync_api import Error, Page, Request

WIDTH, SCALE = 900, 3  # of a saved chart, and of a PNG, as pages/parts/figure.py asks for
_SVG = "{http://www.w3.org/2000/svg}"
LARGEST_PAGE = 1_500_000  # bytes of an HTML export, which is sent by mail
_FEWEST_COLOURS = 20  # anti-aliased text alone has more; a blank picture has one


@dataclass(frozen=True)
class Files:
    """Downloads of a page, opened: tables by file name, sheets by title.

    Parameters
    ----------
    tables : dict of str to dict
        Columns of texts by header, for each CSV file.
    sheets : dict of str to dict
        Columns of cells by header, for each sheet of the Excel file.
    record : dict
        The JSON record.
    link : str
        The link of the page; "" without a link.
    """

    tables: dict[str, dict[str, list[str]]]
    sheets: dict[str, dict[str, list[Any]]]
    record: dict[str, Any]
    link: str

    def table(self, name: str) -> dict[str, list[str]]:
        """Return the columns of a CSV file, by its name without ending."""
        return self.tables[f"{name}.csv"]


def csv_columns(content: bytes) -> dict[str, list[str]]:
    """Read a table with a header row."""
    header, *rows = csv.reader(io.StringIO(content.decode("utf-8")))
    assert rows
    return {name: [row[position] for row in rows] for position, name in enumerate(header)}


def workbook(content: bytes) -> dict[str, dict[str, list[Any]]]:
    """Read every sheet of an Excel file: columns by header."""
    from openpyxl import load_workbook

    sheets = {}
    for sheet in load_workbook(io.BytesIO(content)).worksheets:
        header, *rows = sheet.iter_rows(values_only=True)
        assert rows
        sheets[sheet.title] = {
            str(name): list(column) for name, column in zip(header, zip(*rows, strict=True), strict=True)
        }
    return sheets


def same_cells(texts: Sequence[str], cells: Sequence[Any]) -> bool:
    """Return whether columns of CSV and of Excel have the same texts, and the same numbers to the last digit."""
    return all(
        float(text) == cell
        if isinstance(cell, int | float) and not isinstance(cell, bool)
        else text in ("", "nan")
        if cell is None
        else text == str(cell)
        for text, cell in zip(texts, cells, strict=True)
    )


def record(content: bytes) -> dict[str, Any]:
    """Read a JSON record."""
    result: dict[str, Any] = json.loads(content)
    assert result["made_by"]["name"] == "topicset"
    return result


def is_chart_svg(content: bytes, *titles: str) -> None:
    """Check a vector picture: well-formed, of the right size, with these titles in it, in one line or several."""
    root = ElementTree.fromstring(content)
    assert root.tag == f"{_SVG}svg"
    assert float(root.attrib["width"]) == WIDTH
    texts = {"".join("".join(one.itertext()).split()) for one in root.iter(f"{_SVG}text")}
    for title in titles:
        assert "".join(title.split()) in texts
    lines = [path for path in root.iter(f"{_SVG}path") if len(path.attrib.get("d", "")) > 20]
    assert lines or list(root.iter(f"{_SVG}image"))  # cells of a heat map are one image


def is_chart_png(content: bytes) -> None:
    """Check a bitmap: it can be decoded, has the right size and is not blank."""
    from PIL import Image

    with Image.open(io.BytesIO(content)) as picture:
        picture.load()
        assert picture.format == "PNG"
        assert picture.width == SCALE * WIDTH
        colours = picture.convert("RGB").getcolors(maxcolors=picture.width * picture.height)
    assert colours is not None
    assert len(colours) >= _FEWEST_COLOURS


def html_offline(offline: Page, content: bytes, file: Path, *, charts: int) -> None:
    """Open a page without a network. It is small and has every chart; no request may be made, and none may fail."""
    assert len(content) < LARGEST_PAGE
    file.write_bytes(content)
    requested: list[str] = []
    failed: list[str] = []

    def ask(request: Request) -> None:
        requested.append(request.url)

    def fail(error: Error) -> None:
        failed.append(str(error))

    offline.on("request", ask)
    offline.on("pageerror", fail)
    try:
        offline.goto(file.as_uri(), wait_until="load")
        assert offline.locator("figure svg[role=img]").count() == charts
    finally:
        offline.remove_listener("request", ask)
        offline.remove_listener("pageerror", fail)
    assert not failed
    assert [url for url in requested if not url.startswith(("data:", "blob:"))] == [file.as_uri()]
