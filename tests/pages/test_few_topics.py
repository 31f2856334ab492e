"""Pages with scores of very few topics show the caution below their headline, and those of enough do not."""

import pytest

from tests.pages.app import finished, healthy, open_app
from tests.pages.uploading import PAGE, _scores, upload, with_scores
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


@pytest.mark.parametrize("page", PAGES)
def test_pages_show_the_caution_once(page: str) -> None:
    app = finished(with_scores(f"pages/{page}.py", _scores("a", 5, 6, seed=1)))
    healthy(app)
    assert [few_topics(5) in one.value for one in app.markdown].count(True) == 1


def test_score_matrices_show_it_below_the_threshold_only() -> None:
    app = upload(open_app(PAGE), few_ap=_scores("a", 24, 6, seed=1))
    assert any(few_topics(24) in one.value for one in app.markdown)
    upload(app, more_ap=_scores("b", 20, 6, seed=2))  # 44 topics in all
    assert not any("The data have only" in one.value for one in app.markdown)
