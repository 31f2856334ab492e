"""Opening what was downloaded, as the programs do that it is meant for."""

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from openpyxl import load_workbook
from PIL import Image
from playwright.sync_api import Browser, expect

CHART_SIZE = (900, 500)  # as pages/parts/figure.py asks for
_SVG = "{http://www.w3.org/2000/svg}"
_FEWEST_COLOURS = 20  # anti-aliased text alone has more; a blank picture has one


def csv_columns(content: bytes) -> dict[str, list[str]]:
    """Read a table with a header row."""
    header, *rows = csv.reader(io.StringIO(content.decode("utf-8")))
    assert rows
    return {name: [row[position] for row in rows] for position, name in enumerate(header)}


def workbook(content: bytes) -> dict[str, dict[str, list[Any]]]:
    """Read every sheet of an Excel file: columns by header."""
    sheets = {}
    for sheet in load_workbook(io.BytesIO(content)).worksheets:
        header, *rows = sheet.iter_rows(values_only=True)
        assert rows
        sheets[sheet.title] = {
            str(name): list(column) for name, column in zip(header, zip(*rows, strict=True), strict=True)
        }
    return sheets


def same_numbers(texts: Sequence[str], cells: Sequence[Any]) -> bool:
    """Return whether a column of CSV and one of Excel hold the same numbers, to the last digit."""
    return [float(text) if text not in ("", "nan") else None for text in texts] == [
        float(cell) if cell is not None else None for cell in cells
    ]


def record(content: bytes) -> dict[str, Any]:
    """Read a JSON record."""
    found: dict[str, Any] = json.loads(content)
    assert found["made_by"]["name"] == "topicset"
    return found


def is_chart_svg(content: bytes, *titles: str) -> None:
    """Check a vector picture: well-formed, of the right size, with the axis titles in it."""
    root = ElementTree.fromstring(content)
    assert root.tag == f"{_SVG}svg"
    assert (float(root.attrib["width"]), float(root.attrib["height"])) == CHART_SIZE
    texts = {"".join(element.itertext()) for element in root.iter(f"{_SVG}text")}
    for title in titles:
        assert title in texts
    lines = [path for path in root.iter(f"{_SVG}path") if len(path.attrib.get("d", "")) > 20]
    assert lines or list(root.iter(f"{_SVG}image"))  # cells of a heat map are one image


def is_chart_png(content: bytes) -> None:
    """Check a bitmap: it can be decoded, has the right size and is not blank."""
    with Image.open(io.BytesIO(content)) as picture:
        picture.load()
        assert picture.format == "PNG"
        assert picture.size == CHART_SIZE
        colours = picture.convert("RGB").getcolors(maxcolors=CHART_SIZE[0] * CHART_SIZE[1])
    assert len(colours) >= _FEWEST_COLOURS


def html_offline(browser: Browser, content: bytes, folder: Path, *, charts: int) -> str:
    """Open a page without a network; return its text. Nothing may be asked of anyone, nothing may fail."""
    file = folder / "page.html"
    file.write_bytes(content)
    context = browser.new_context(offline=True)
    try:
        page = context.new_page()
        asked: list[str] = []
        failed: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: failed.append(str(error)))
        page.goto(file.as_uri())
        expect(page.locator(".js-plotly-plot .xtitle")).to_have_count(charts)
        text = page.locator("body").inner_text()
    finally:
        context.close()
    assert not failed
    assert [url for url in asked if not url.startswith(("data:", "blob:"))] == [file.as_uri()]
    return text
