"""Every page is unchanged: on the sample, and after acts of users."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from syrupy.assertion import SnapshotAssertion

from tests.golden.comparing import RecordsBySubject
from tests.golden.page_scenarios import SCENARIOS
from tests.golden.screen import NO_CHANGES, Downloads, changes, screen
from tests.pages.app import PAGES, open_page, wait_for_work

WITHOUT_CHARTS = {"pages/start.py", "pages/dossier.py", "pages/user_guide.py"}
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
def _screen_as_opened(page: str) -> str:
    return screen(_opened(page)[0])


def _n_explained_charts(app: AppTest) -> int:
    """Count the charts; assert that each has words at its axes, and a text for those who cannot see it."""
    drawn = app.get("plotly_chart")
    for chart in drawn:
        layout = json.loads(chart.proto.spec)["layout"]
        for axis in (layout["xaxis"], layout["yaxis"]):
            assert axis["title"]["text"] or axis["ticktext"]
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
    assert _screen_as_opened(page) == golden
    assert downloads.text() == golden


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "reached"),
    [
        pytest.param(page, reached, id=f"{Path(page).stem}, {act}")
        for page, acts in SCENARIOS.items()
        for act, reached in acts.items()
    ],
)
def test_page_after(page: str, reached: Callable[[], AppTest], golden: SnapshotAssertion) -> None:
    app = reached()
    _n_explained_charts(app)
    recorded = changes(_screen_as_opened(page), screen(app))
    assert recorded != NO_CHANGES, "these acts do nothing"
    assert recorded == golden
