"""Pages with scores of very few topics show the caution below their chart, and those of enough do not."""

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.frame import plain
from tests.pages.app import finished, go, open_app
from tests.pages.uploading import PAGE, _scores, upload
from topicset_core.wording import few_topics

PAGES = [
    "one_way_anova",
    "paired_t",
    "compare_designs",
    "achieved_power",
    "error_rate",
    "rank_resolution",
    "topic_subsets",
]


@pytest.fixture(scope="module")
def visited() -> AppTest:
    """The app with scores of five topics."""
    return upload(open_app(PAGE), mine_ap=_scores("a", 5, 6, seed=1))


@pytest.mark.parametrize("page", PAGES)
def test_pages_show_the_caution_once(visited: AppTest, page: str) -> None:
    app = finished(go(visited, f"pages/{page}.py"))
    assert [plain(few_topics(5)) in one.value for one in app.markdown].count(True) == 1


def test_score_matrices_show_it_below_the_threshold_only() -> None:
    app = upload(open_app(PAGE), few_ap=_scores("a", 24, 6, seed=1))
    assert any(few_topics(24) in one.value for one in app.markdown)
    upload(app, more_ap=_scores("b", 20, 6, seed=2))  # 44 topics in all
    assert not any("The data have only" in one.value for one in app.markdown)
