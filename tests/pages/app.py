"""Driving the app without a browser, with full error details and empty caches."""

import re
from pathlib import Path

import streamlit as st
from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).parents[2]
PAGES = {
    "pages/start.py": "Topicset",
    "pages/score_matrices.py": "Score matrices",
    "pages/runs_and_qrels.py": "Runs and judgments",
    "pages/one_way_anova.py": "One-way ANOVA",
    "pages/paired_t.py": "Paired t test",
    "pages/two_sample_t.py": "Two-sample t test",
    "pages/confidence_interval.py": "Confidence interval",
    "pages/compare_designs.py": "Compare designs",
    "pages/reported_result.py": "Reported result",
    "pages/pool_depth.py": "Pool depth",
    "pages/error_rate.py": "Error rate",
    "pages/topic_subsets.py": "Topic subsets",
    "pages/topic_variance.py": "Topic variance",
    "pages/training_sensitivity.py": "Training sensitivity",
}
"""Every page file and its heading; a new page adds a line here and is then tried in every test below."""

_TIMEOUT_SECONDS = 60  # against hanging; a page takes well under one


def open_page(page: str, **query: str) -> AppTest:
    """Run one page file on its own, as a visitor with a link would get it."""
    return _opened(AppTest.from_file(str(ROOT / page), default_timeout=_TIMEOUT_SECONDS), query)


def open_app(page: str, **query: str) -> AppTest:
    """Run the whole app and go to one page."""
    app = _opened(AppTest.from_file(str(ROOT / "app.py"), default_timeout=_TIMEOUT_SECONDS), query)
    return go(app, page)


def go(app: AppTest, page: str) -> AppTest:
    """Change the page within a session."""
    return healthy(app.switch_page(page).run())


def healthy(app: AppTest) -> AppTest:
    """Assert that nothing was raised, and return the app."""
    assert not app.exception, [found.message for found in app.exception]
    return app


def big_number(app: AppTest) -> str:
    """Return the one large number of the page."""
    (found,) = [text.value for text in app.markdown if text.value.startswith("# ")]
    return found.partition(":primary[")[2].removesuffix("]")


def errors(app: AppTest) -> list[str]:
    """Return the error messages on screen."""
    return [re.sub(r"\\(.)", r"\1", error.value) for error in app.error]  # as Markdown shows them


def _opened(app: AppTest, query: dict[str, str]) -> AppTest:
    st.cache_data.clear()
    for name, value in query.items():
        app.query_params[name] = value
    return healthy(app.run())
