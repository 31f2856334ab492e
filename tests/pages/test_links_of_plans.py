"""A link of a plan opens as the page it was taken from: headline, tiles and curves, without the scores."""

import json
from functools import cache
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.app import big_number, go, heading, linked, open_app, open_page, planning_field
from tests.pages.uploading import PAGE, upload
from topicset_core.samples.simulated import simulated_task
from topicset_core.samples.simulated_conversations import simulated_conversations

PAGES = (
    *("start", "paired_t", "topics_as_blocks", "one_way_anova", "two_sample_t", "every_pair"),
    *("at_least_as_good", "confidence_interval", "looks"),
)
OF_OTHERS = "Scenario A", "scenario A"


@cache
def _files() -> dict[str, str]:
    """Return files of scores: of several systems, in groups, and of two systems that are right or wrong."""
    rng = np.random.default_rng(5)
    right = rng.random((60, 2)) < (0.6, 0.5)
    rows = [f"q{place},{a:d},{b:d}" for place, (a, b) in enumerate(right)]
    return {
        "several": simulated_task()[0].to_csv(),
        "grouped": simulated_conversations().to_csv(),
        "right_wrong": "\n".join(["topic,a,b", *rows]),
    }


def _shown(app: AppTest) -> tuple[Any, ...]:
    """Return headline, tiles and the lines of the first chart, the values with ten digits."""
    assert not app.exception
    headline = next(text.value for text in app.markdown if text.value.startswith("# "))
    tiles = [(one.label, one.value) for one in app.metric if one.label not in OF_OTHERS]
    chart = json.loads(app.get("plotly_chart")[0].proto.spec)
    lines = {
        trace["name"]: [f"{float(value):.10g}" for value in (*trace["x"], *trace["y"])]
        for trace in chart["data"]
        if isinstance(trace.get("x"), list) and isinstance(trace.get("y"), list) and trace.get("name")
    }
    return headline.partition(" :orange-badge")[0], tiles, lines


@pytest.mark.parametrize(
    ("scores", "page"),
    [(scores, page) for scores in ("", "several", "grouped") for page in PAGES]
    + [("right_wrong", page) for page in ("start", "right_or_wrong", "paired_t", "confidence_interval")],
)
def test_a_link_opens_as_the_page_it_was_taken_from(scores: str, page: str) -> None:
    app = open_app(PAGE)
    if scores:
        upload(app, **{scores: _files()[scores]})
    here = go(app, f"pages/{page}.py")
    link = {name: value for name, (value,) in linked(here).items()}
    there = open_page(f"pages/{page}.py", **link)
    assert [error.value for error in there.error] == []
    (headline, tiles, lines), again = _shown(here), _shown(there)
    assert again[:2] == (headline, tiles)
    assert lines == again[2]
    assert lines  # it has curves


def test_a_number_of_a_link_is_the_users_own_once_it_is_changed() -> None:
    """Interval and other estimates belong to the variance of the link, not to a typed one."""
    app = go(upload(open_app(PAGE), several=_files()["several"]), "pages/paired_t.py")
    link = {name: value for name, (value,) in linked(app).items()}
    there = open_page("pages/paired_t.py", **link)
    labels = [one.label for one in there.metric]
    assert "for 95 % of pairs" in labels
    variance = planning_field(there, "difference_variance")
    variance.set_value(4 * variance.value).run()
    assert "for 95 % of pairs" not in {one.label for one in there.metric}
    assert " to " not in heading(there)  # no interval
    assert (big_number(there) or 0) > (big_number(app) or 0)


@pytest.mark.parametrize(
    ("page", "scenario"),
    [
        ("looks", "design=looks&looks=4&difference_variance=.06"),
        ("every_pair", "design=all-pairs&n_systems=5&residual_variance=.03"),
        ("right_or_wrong", "design=mcnemar&difference_variance=.06"),
    ],
)
def test_a_scenario_without_the_choices_of_its_design_has_their_defaults(page: str, scenario: str) -> None:
    variance = "residual_variance" if page == "every_pair" else "difference_variance"
    scenario = f"{scenario}&measure=AP&alpha=.05&beta=.2&min_d=.12"
    app = open_page(f"pages/{page}.py", **{variance: ".03", "measure": "AP"}, scenario=scenario)
    assert [error.value for error in app.error] == []
    assert "scenario A" in [one.label for one in app.metric]
