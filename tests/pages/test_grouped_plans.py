"""Design pages where topics come in groups: the headline, one voice, links, saved work, scores with groups."""

from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts import data
from tests.pages.app import (
    as_on_a_new_server,
    errors,
    go,
    heading,
    linked,
    open_app,
    open_page,
    planned,
    planning_field,
    press,
    texts,
    tile,
)
from tests.pages.test_groups import in_pairs, with_groups
from tests.pages.test_one_voice import assert_one_voice
from tests.pages.test_saved_work import _opened, _saved
from tests.pages.uploading import PAGE, upload
from topicset_core.collection import ScoreMatrix
from topicset_core.designs import paired_t
from topicset_core.designs.grouped import groups_by_scores, required_groups
from topicset_core.exports.tables import csv_bytes
from topicset_core.samples.simulated_conversations import simulated_conversations
from topicset_core.variance import OFFERED

PAIRED = "pages/paired_t.py"
OF_PAGES = {
    PAIRED: {},
    "pages/two_sample_t.py": {},
    "pages/one_way_anova.py": {},
    "pages/topics_as_blocks.py": {},
    "pages/confidence_interval.py": {},
    "pages/at_least_as_good.py": {"claim": "equal"},
    "pages/every_pair.py": {"compared": "baseline"},
}


@pytest.fixture(autouse=True)
def _alone() -> Iterator[None]:
    as_on_a_new_server()
    yield
    as_on_a_new_server()


@pytest.mark.parametrize("page", OF_PAGES)
def test_headline_tiles_record_and_paper_agree_on_groups(page: str) -> None:
    app = open_page(page, group_size="7", intraclass_correlation="0.3", cost_group="4", **OF_PAGES[page])
    report = assert_one_voice(app, page)
    (plan,) = report.results()
    assert f"{plan.n_groups:,} groups of 7 topics" in heading(app)
    assert tile(app, "topics in all") == 7 * plan.n_groups
    # The same question asked in Python
    same = required_groups(plan.plan, 0.3, group_size=7, costs=(4.0, 1.0))
    assert (same.n_groups, same.best) == (plan.n_groups, plan.best)
    assert tile(app, "if topics were independent") == plan.plan.required_topics().required_topics
    query = linked(app)
    assert (query["group_size"], query["intraclass_correlation"], query["cost_group"]) == (
        ["7"],
        ["0.3"],
        ["4.0"],
    )
    assert "cost_topic" not in query


def test_groups_are_kept_on_other_pages_in_saved_work_and_until_they_are_taken_back() -> None:
    app = planned(open_app(PAIRED), group_size=12)
    here = heading(app)
    assert "groups of 12 topics" in here
    assert "groups of 12 topics" in heading(go(app, "pages/topics_as_blocks.py"))
    go(app, PAIRED)
    assert heading(_opened(open_app(PAIRED), _saved(app))) == here
    planned(app, group_size=0)
    assert "from 1 to" in errors(app)[0]
    assert heading(app).startswith(here)  # the answer for the last valid value
    press(app, "planning/reset")
    assert "groups" not in heading(app)


def test_costs_alone_choose_the_topics_per_group() -> None:
    app = open_page(PAIRED, cost_group="12", cost_topic="2", intraclass_correlation="0.1")
    (plan,) = assert_one_voice(app, PAIRED).results()
    best = required_groups(plan.plan, 0.1, costs=(12.0, 2.0)).best
    assert best is not None
    assert plan.group_size == best.group_size
    assert f"groups of {best.group_size} topics" in heading(app)


def test_few_groups_are_cautioned_of() -> None:
    app = open_page(PAIRED, group_size="30", min_d="0.3")
    (plan,) = assert_one_voice(app, PAIRED).results()
    assert plan.n_groups < 10
    assert f"Caution: only {plan.n_groups} groups" in texts(app)


def _planned_with(app: AppTest, matrix: ScoreMatrix) -> None:
    planned(go(app, PAIRED), group_size=4)
    report = assert_one_voice(app, PAIRED)
    (plan,) = report.results()
    values = plan.plan.values | {"difference_variance": OFFERED[paired_t.DESIGN.variance][0](matrix)}
    expected = groups_by_scores(paired_t.DESIGN.plan(**values), matrix, group_size=4)
    assert list(report.tables[0].columns()) == ["topics per group", "groups", "topics"]  # no costs
    assert (plan.n_groups, plan.groups_interval) == (expected.n_groups, expected.groups_interval)
    assert plan.intraclass_correlation == expected.intraclass_correlation


def test_scores_with_groups_give_the_correlation_unless_it_is_stated() -> None:
    app = with_groups(in_pairs())
    _planned_with(app, in_pairs())
    assert planning_field(app, "intraclass_correlation").placeholder == "by the groups of the scores"
    assert "if ρ is uncertain" in [one.label for one in app.metric]
    planned(app, intraclass_correlation=0.5)
    assert tile(app, "ρ") == 0.5
    assert "if ρ is uncertain" not in [one.label for one in app.metric]


def test_simulated_conversations_are_offered_and_read_back_with_their_groups() -> None:
    """The plan by them in the app is that of the library; other answers caution that they count no groups."""
    content = csv_bytes(data.conversations()).decode()
    app = upload(open_app(PAGE), simulated_conversations=content)
    matrix = simulated_conversations()
    assert app.session_state["loaded_scores"][0].matrix.digest == matrix.digest
    assert "come in groups" in texts(go(app, PAIRED))
    _planned_with(app, matrix)
    assert "come in groups" not in texts(app)
