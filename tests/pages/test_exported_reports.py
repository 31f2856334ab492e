"""What every page exports from the sample: small HTML, escaped LaTeX, headings in words, works that are named."""

import io
import re
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from pages.parts.contents import PAGES
from tests.pages.app import open_app
from topicset_core.exports.dossier import Entry, chapter, dossier_page
from topicset_core.exports.findings import texts
from topicset_core.exports.report import Report

_LARGEST_PAGE = 1_500_000  # bytes, so that it can be sent by mail
_OF_NOTHING = {"start", "user_guide", "score_matrices", "dossier"}  # pages that may have no report


def _reports(page: str) -> list[Report]:
    state: Any = open_app(page).session_state
    return list(state["frame/reports"].values()) if "frame/reports" in state else []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: Path(page.file).stem)
def test_exports_of_a_page(page: Any) -> None:
    reports = _reports(page.file)
    assert reports or page.name in _OF_NOTHING
    for report in reports:
        _html(report)
        _latex(report)
        _headings(report)
        _interval(report)
        _works(report)
        _chapter(report)


def _chapter(report: Report) -> None:
    """A dossier draws each figure of an answer that was kept; none is too large."""
    kept = chapter(report, "Which?")
    names = [figure.name for figure in report.figures()]
    assert [name for name, _, _ in kept.figures] == names
    content = dossier_page([Entry(chapter=kept, figures=names)], title="Plan")
    assert content.count(b'role="img"') == len(names)
    assert b"cannot be drawn" not in content
    assert len(content) < _LARGEST_PAGE


def _works(report: Report) -> None:
    """Corrections are cited where the text names them, and only there."""
    text, cited = report.text[0].partition("\n\n[1]")[0], [work.key for work in report.works]
    for name, key in (
        ("Greenhouse-Geisser", "greenhouse1959methods"),
        ("Greenhouse-Geisser", "box1954theorems"),
        ("Holm's", "holm1979simple"),
        ("O'Brien-Fleming", "obrien1979multiple"),
        ("Pocock", "pocock1977group"),
        ("Lan-DeMets", "lan1983discrete"),
        ("Tukey", "tukey1953problem"),
    ):
        assert (key in cited) == (name in text), (name, cited)


def _html(report: Report) -> None:
    content = report.page()
    assert len(content) < _LARGEST_PAGE
    assert content.count(b'role="img"') == len([*report.figures()])
    assert b"<script" not in content


_COMMANDS = re.compile(r"\\[&%$#_{}]|\\[a-z]+\{\}|\\cite\{[\w,]+\}|\$[\\\w{}^,\- ]+\$")


def _latex(report: Report) -> None:
    """Without commands and formulas no special character is left, and none that first fonts lack."""
    text = report.text[1].partition("\n@")[0]
    assert "minD" not in text.replace(r"$\mathit{minD}$", "")
    rest = _COMMANDS.sub("", text)
    assert not re.findall(r"[\\&%$#_{}^~<>|]", rest), rest
    assert not [letter for letter in rest if ord(letter) > 0xFF], rest


def _headings(report: Report) -> None:
    tables = [table.columns for table in report.tables if not table.is_scores]
    for columns in [*tables, *filter(None, [report.page_table])]:
        for name in columns():
            assert not re.search(r"[a-z0-9]_[a-z0-9]", name.replace("σ_", "")), name


def _interval(report: Report) -> None:
    """The interval beside the headline is in each file."""
    (first,) = texts(report.findings, "headline")[:1] or ("",)
    found = re.search(r"\(([^()]*\d) to ([^()]*\d)[^()]*\)", first)
    if found is None:
        return
    ends = found.groups()
    book = openpyxl.load_workbook(io.BytesIO(report.workbook()), read_only=True)
    answer = str(book["Answer"]["B2"].value)
    for text in (report.page().decode(), report.json().decode(), *report.text, answer):
        assert all(end.replace("-", "").strip("+") in text for end in ends), (ends, text[:500])
