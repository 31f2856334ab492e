"""Design pages where topics come in groups: the headline, one voice, links, saved work, scores with groups."""

from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts import data
from pages.parts.frame import plain
from tests.pages.app import (
    as_it_reads,
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
    text_of,
    texts,
    tile,
)
from tests.pages.test_groups import in_pairs, with_groups
from tests.pages.test_one_voice import assert_one_voice
from tests.pages.test_saved_work import _opened, _saved
from tests.pages.uploading import PAGE, upload
from topicset_core.analyses.score_variance.uncertainty import variance_uncertainty
from topicset_core.collection import ScoreMatrix
from topicset_core.designs import DESIGNS, paired_t
from topicset_core.designs.grouped import in_groups, in_groups_of_scores
from topicset_core.exports.tables import csv_bytes
from topicset_core.parameters import WITHIN_SYSTEM_VARIANCE
from topicset_core.samples.simulated_conversations import simulated_conversations
from topicset_core.variance import OFFERED
from topicset_core.variance.atlas import FEWEST_PILOT_TOPICS
from topicset_core.variance.group_components import of_group_means

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
    answer = report.results()[0]
    shown = f"{answer['required_groups']:,}"
    if answer["similar_to"]["worth_in_topics"] < FEWEST_PILOT_TOPICS:  # of two systems
        shown = "{:,} to {:,}".format(*answer["groups_interval"])
    assert f"{shown} groups of 7 topics" in heading(app)
    # The same question asked in Python
    design = next(one for one in DESIGNS if one.name == answer["design"])
    plan = design.plan(**answer["requirements"])
    is_shared = plan.variance_parameter is not WITHIN_SYSTEM_VARIANCE
    label = "topics in all" if is_shared else "topics per system"
    assert tile(app, label) == 7 * answer["required_groups"]
    same = in_groups(plan, 0.3, group_size=7, costs=(4.0, 1.0))
    assert same.plan.required_topics().required_topics == answer["required_groups"]
    assert same.best is not None
    assert same.best.cost == answer["best"]["cost"]
    assert tile(app, "if independent") == plan.required_topics().required_topics
    query = linked(app)
    assert (query["group_size"], query["intraclass_correlation"], query["cost_group"]) == (
        ["7"],
        ["0.3"],
        ["4.0"],
    )
    assert query["cost_topic"] == ["1.0"]  # the field says so where it stays open


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
    answer = assert_one_voice(app, PAIRED).results()[0]
    best = in_groups(DESIGNS[0].plan(**answer["requirements"]), 0.1, costs=(12.0, 2.0)).best
    assert best is not None
    assert answer["group_size"] == best.group_size
    assert f"groups of {best.group_size} topics" in heading(app)


def test_scenario_a_keeps_its_groups_also_in_links() -> None:
    asked = {"intraclass_correlation": "0.3", "difference_variance": "0.03", "min_d": "0.05"}
    app = open_page(PAIRED, group_size="12", **asked)
    press(app, "scenario/pin")
    planned(app, group_size=6)
    plan = paired_t.DESIGN.plan(alpha=0.05, beta=0.2, min_d=0.05, difference_variance=0.03)
    before, now = (in_groups(plan, 0.3, group_size=k).plan.required_topics().required_topics for k in (12, 6))
    expected = f"{before} ({now - before:+} now)", "k = 12"
    opened = open_page(PAIRED, **{name: values[0] for name, values in linked(app).items()})
    for one in (app, opened):
        assert [(each.value, each.help) for each in one.metric if each.label == "scenario A"] == [expected]
    press(app, "planning/reset")  # of independent topics: they do not compare
    assert "scenario A" not in [one.label for one in app.metric]


def test_few_groups_are_cautioned_of() -> None:
    app = open_page(PAIRED, group_size="30", min_d="0.3")
    n = assert_one_voice(app, PAIRED).results()[0]["required_groups"]
    assert n < 10
    assert f"Caution: only {n} groups" in texts(app)


def _agrees(app: AppTest, matrix: ScoreMatrix, group_size: int) -> None:
    """The page's plan is that of the library, and so is its interval."""
    report = assert_one_voice(app, PAIRED)
    answer = report.results()[0]
    estimate = OFFERED[paired_t.DESIGN.variance][0]
    values = answer["requirements"] | {"difference_variance": estimate(matrix)}
    plan = paired_t.DESIGN.plan(**values)
    expected = in_groups_of_scores(plan, [matrix], estimate, group_size=group_size)
    assert answer["required_groups"] == expected.plan.required_topics().required_topics
    assert answer["intraclass_correlation"] == expected.intraclass_correlation
    splits = next(one for one in report.tables if one.sheet == "splits")
    assert list(splits.columns()) == ["topics per group", "groups", "topics"]  # no costs
    uncertain = variance_uncertainty(
        [matrix], expected.plan.without_variance, estimate=of_group_means(estimate, group_size)
    )
    assert f"({' to '.join(uncertain.ends)})" in as_it_reads(heading(app))
    assert "Variance and ρ are estimates: " in text_of(app, "answer")


def test_scores_with_groups_give_the_correlation_unless_it_is_stated() -> None:
    app = go(with_groups(in_pairs()), PAIRED)
    _agrees(app, in_pairs(), 2)  # their own size
    assert planning_field(app, "intraclass_correlation").placeholder == "by the groups of the scores"
    assert planning_field(app, "group_size").placeholder == "2, as in the scores"
    _agrees(planned(app, group_size=4), in_pairs(), 4)
    planned(app, intraclass_correlation=0.5)
    assert tile(app, "ρ") == 0.5
    assert "The variance is an estimate: " in text_of(app, "answer")


def test_simulated_conversations_are_offered_and_read_back_with_their_groups() -> None:
    content = csv_bytes(data.conversations()).decode()
    app = upload(open_app(PAGE), simulated_conversations=content)
    matrix = simulated_conversations()
    assert app.session_state["loaded_scores"][0].matrix.digest == matrix.digest
    labels = [str(getattr(one, "label", "")) for one in app.get("page_link")]
    n = next(one for one in labels if one.startswith("How many")).removeprefix("How many topics? ")
    assert f":primary[{plain(n)}]" in heading(go(app, "pages/topics_as_blocks.py"))
    assert " groups of 12 topics (" in n
    _agrees(go(app, PAIRED), matrix, 12)
    assert "come in groups" not in texts(app)
