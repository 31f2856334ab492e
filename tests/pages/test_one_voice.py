"""The numbers of a page's headline, tiles, exports and text for a paper are those of one result.

On the sample, tests/golden/test_pages.py asserts it of every page.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.frame import HEADLINE
from pages.parts.frame import PAGE as PAGE_NAME
from tests.pages.app import go, open_app, wait_for_work
from tests.pages.uploading import PAGE, upload
from tests.reference_data import reference_file
from topicset_core.exports.findings import found_on, texts
from topicset_core.exports.report import Report

# What a paper says of its author's work is no advice to that author, which has its place on the page: no second
# person, no duty, and no sentence or clause that begins with the verb of an order.
_ORDERS = (
    "add|allow|analyse|avoid|check|choose|compare|decide|drop|enter|judge|keep|load|note|plan|prefer|remove|run|see|"
    "take|train|treat|try|use"
)
_ADVICE = re.compile(rf"\b(?i:you|your|should|must|never|please)\b|(?:^|[.;:] )(?i:{_ORDERS})\b")
_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?|(?<![\w.])\.\d+")


_OF_OTHER_PLANS = (
    "for 95 %",
    "for the average",
    "by Sakai",
    "if topics",
    "if ρ",
    "scenario",
)  # tiles: of other variances, other topics, a pinned scenario


class Printed(NamedTuple):
    """A number as printed, and half a unit of its last digit."""

    value: float
    half: float

    def is_of(self, other: "Printed") -> bool:
        """Return whether both may be one number, rounded to different digits."""
        slack = 1 + 1e-9  # a half may be rounded either way
        return abs(self.value - other.value) <= slack * max(self.half, other.half)


def printed(text: str) -> Iterator[Printed]:
    """Yield the numbers of a text, without their signs; not those within names such as nDCG@10."""
    for match in _NUMBER.finditer(text):
        digits = match[0].rstrip(",").replace(",", "")
        yield Printed(float(digits), 0.5 * 10.0 ** -len(digits.partition(".")[2]))


def recorded(value: object) -> Iterator[Printed]:
    """Yield the numbers of a record, each also in per cent and as the rest to one, as 95 % from alpha = .05."""
    if isinstance(value, dict):
        for one in value.values():
            yield from recorded(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from recorded(one)
    elif isinstance(value, str):
        yield from printed(value)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        for one in (abs(value), 100 * abs(value), 1 - value, 100 - 100 * value):
            yield Printed(one, 0.0)


def missing(wanted: str, among: Iterable[Printed]) -> list[float]:
    """Return the numbers of a text that are not among those of another one."""
    there = list(among)
    return [
        one.value for one in dict.fromkeys(printed(wanted)) if not any(one.is_of(other) for other in there)
    ]


def assert_one_voice(app: AppTest, page: str) -> Report:
    """Check the only report of a page, and return it."""
    reports: dict[str, Report] = app.session_state["frame/reports"]
    (report,) = [one for name, one in reports.items() if name.startswith(f"{Path(page).stem}/")]
    headline = re.sub(r":[\w-]+\[((?:[^\]\\]|\\.)*)\]", r"\1", app.session_state[HEADLINE])
    paragraph = report.text[0].partition("\n\n[1]")[0]
    paragraph = re.sub(r"\[[\d, ]+\]|\(Topicset [^)]*\)", "", paragraph)
    record = report.record()
    record.pop("with")
    numbers = {*recorded(record)}
    assert missing(headline, numbers) == []
    assert missing(headline, printed(report.sentence)) == []
    in_per_cent = (Printed(100 * one.value, 0.0) for one in printed(paragraph))  # power 1 - beta = 0.8
    assert missing(headline, chain(printed(paragraph), in_per_cent)) == []
    assert missing(paragraph, numbers) == []
    tiles = " ".join(one.value for one in app.metric if not one.label.startswith(_OF_OTHER_PLANS))
    assert missing(tiles, chain(numbers, printed(report.sentence))) == []
    return report


def assert_no_advice(app: AppTest) -> None:
    """Check the texts for a paper of all reports of a page."""
    if "frame/reports" in app.session_state:
        for report in app.session_state["frame/reports"].values():
            for text in report.text:
                assert _ADVICE.findall(re.split(r"\n\n(?:\[1\]|@)", text)[0]) == []


def assert_findings_are_shown(app: AppTest) -> None:
    """Check that a page shows what its newest report says there: sentences, headline and numbers beside it."""
    if "frame/reports" not in app.session_state or not app.session_state[HEADLINE]:  # refused: no answer
        return
    written = " ".join(_unmarked(one.value) for one in (*app.markdown, *app.info, *app.warning))
    tiles = {(one.label, one.value) for one in app.metric}
    page, reports = app.session_state[PAGE_NAME], app.session_state["frame/reports"]
    of_page = [report for name, report in reports.items() if name.startswith(f"{page}/")]
    for report in of_page[-1:]:  # the others are of earlier questions on this page
        assert [text for text in texts(report.findings, "page") if _unmarked(text) not in written] == []
        for finding in found_on(report.findings, "headline"):
            assert _unmarked(finding.text) in _unmarked(app.session_state[HEADLINE])
        shown = {(one.label, one.value) for one in found_on(report.findings, "tile")}
        assert shown <= tiles


def _unmarked(text: str) -> str:
    """Return text without Markdown, and without the links of words about simulations."""
    text = re.sub(
        r":primary\[((?:[^\]\\]|\\.)*)\]|\[(in simulations?)\]\([^)]*\)", r"\1\2", text, flags=re.IGNORECASE
    )
    return re.sub(r"\s+", " ", re.sub(r"\\(.)", r"\1", text).replace("*", ""))


@pytest.mark.parametrize("advice", ["Analyse by two-way ANOVA.", "It should be 3.", "Your 3 topics differ."])
def test_advice_is_found(advice: str) -> None:
    assert _ADVICE.search(f"We use 50 topics. {advice}")
    assert not _ADVICE.search("We use 50 topics. A test of them detects it; they are compared by runs.")


def test_a_changed_digit_is_found() -> None:
    assert missing("You need 147 topics (80.4 %)", printed("147 topics give 80.39 %")) == []
    assert missing("You need 147 topics (80.4 %)", printed("148 topics give 80.5 %")) == [147, 80.4]
    assert missing("1,234 judgments, r = .95", recorded({"n": 1234, "r": 0.9512})) == []
    assert missing("1,234 judgments, r = .96", recorded({"n": 1235, "r": 0.9512})) == [1234, 0.96]


OF_SCORES = (
    *("achieved_power", "at_least_as_good", "compare_designs", "confidence_interval", "error_rate"),
    *("every_pair", "looks", "one_way_anova", "paired_t", "rank_resolution", "topic_subsets"),
    *("topics_as_blocks", "two_sample_t"),
)
"""Pages that answer from scores, wherever these come from."""


@pytest.mark.slow
@pytest.mark.reference_data
@pytest.mark.parametrize("matrix", ["robust2003_ap", "web2012_err20"])
def test_headline_exports_and_paper_agree_on_real_scores(
    matrix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wait_for_work(monkeypatch)
    text = reference_file("matrices", f"{matrix}.csv").read_text()
    app = upload(open_app(PAGE), **{matrix: text})
    for name in OF_SCORES:
        page = f"pages/{name}.py"
        report = assert_one_voice(go(app, page), page)
        assert [one.name for one in report.matrices] == [matrix], page
