"""Every page is unchanged: on the sample, and after acts of users."""

import json
from functools import cache
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from syrupy.assertion import SnapshotAssertion

from tests.golden.comparing import RecordsBySubject
from tests.golden.page_scenarios import SCENARIOS, Scenario
from tests.golden.screen import Downloads, page_and_files, screen
from tests.pages.app import PAGES, open_page, wait_for_work
from tests.pages.test_one_voice import assert_findings_are_shown, assert_no_advice, assert_one_voice

WITHOUT_CHARTS = {"pages/dossier.py", "pages/user_guide.py"}
WITHOUT_EXPORTS = {"pages/dossier.py", "pages/user_guide.py", "pages/score_matrices.py"}
SEARCHING = {"topic_subsets", "topic_variance", "training_sensitivity"}
"""Pages that compute for over a second as they open."""


@pytest.fixture
def golden(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    """Compare with the record of the page or command."""
    return snapshot.use_extension(RecordsBySubject)


@pytest.fixture(autouse=True)
def _results_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Record what background work of a page returns, however busy the machine is."""
    wait_for_work(monkeypatch)


@cache
def _opened(page: str) -> tuple[AppTest, Downloads]:
    """The page as it opens: opened once, without acts."""
    with pytest.MonkeyPatch.context() as patch:
        downloads = Downloads(patch)
        return open_page(page), downloads


@cache
def _screen_as_opened(page: str, *, in_short: bool) -> frozenset[str]:
    return frozenset(screen(_opened(page)[0], in_short=in_short))


def _n_explained_charts(app: AppTest) -> int:
    """Count the charts; assert that each has words at its axes, and a text for those who cannot see it."""
    drawn = app.get("plotly_chart")
    for chart in drawn:
        layout = json.loads(chart.proto.spec)["layout"]
        for axis in (layout["xaxis"], layout["yaxis"]):
            words = axis.get("title", {}).get("text") or axis.get("ticktext")
            assert words or not axis.get(
                "showticklabels", True
            )  # an axis that two panels share has its words once
        assert chart.proto.alt
    return len(drawn)


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(
            page, id=Path(page).stem, marks=[pytest.mark.slow] if Path(page).stem in SEARCHING else []
        )
        for page in PAGES
    ],
)
def test_page_as_it_opens(page: str, golden: SnapshotAssertion) -> None:
    app, downloads = _opened(page)
    assert app.title[0].value == PAGES[page]
    assert (_n_explained_charts(app) == 0) == (page in WITHOUT_CHARTS)
    assert page_and_files(app, downloads) == golden
    assert_no_advice(app)
    assert_findings_are_shown(app)
    if page not in WITHOUT_EXPORTS:
        assert_one_voice(app, page)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "scenario"),
    [
        pytest.param(page, scenario, id=f"{Path(page).stem}, {act}")
        for page, acts in SCENARIOS.items()
        for act, scenario in acts.items()
    ],
)
def test_page_after(page: str, scenario: Scenario, golden: SnapshotAssertion) -> None:
    start, acts = scenario
    app = start()
    before = {in_short: _screen_as_opened(page, in_short=in_short) for in_short in (True, False)}
    for act in acts:
        if act is acts[-1]:
            before = {in_short: before[in_short] | {*screen(app, in_short=in_short)} for in_short in before}
        app = act(app)
    _n_explained_charts(app)
    assert_no_advice(app)
    assert_findings_are_shown(app)
    for in_short in before:  # charts and tables where nothing else is new
        after = screen(app, in_short=in_short)
        came = [line for line in after if line not in before[in_short]]
        if came:
            break
    went = [] if came else sorted(before[True] - {*screen(app, in_short=True)})
    assert came or went, "these acts do nothing"
    assert "\n".join([*came, *(f"- {line}" for line in went)]) == golden
