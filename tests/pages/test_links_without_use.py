"""A value of a link that the page cannot use is told, and the answer is that of the link without it."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.app import errors, go, heading, linked, open_app, open_page, planned
from tests.pages.test_groups import in_pairs, with_groups
from tests.pages.uploading import PAGE, upload
from topicset_core.samples.simulated import simulated_task

STATED = {"difference_variance": "0.05", "measure": "AP"}
SCENARIO = "design=paired-t&alpha=.05&beta=.2&min_d=.1&difference_variance=.06&measure=AP"


def _told(app: AppTest) -> dict[str, str]:
    """Return the complaints about the link by the value that they begin with."""
    told = [text.replace("\\", "") for text in errors(app)]
    return {one.partition(" in this link was not used: ")[0]: one for one in told}


WITHOUT_USE = {
    # McNemar's test is not in IN_GROUPS, the designs that take groups.
    "groups of a test that takes none": (
        "right_or_wrong",
        {"group_size": "5", "group_size_cv": "0.5", "intraclass_correlation": "0.3", "cost_group": "2"},
        {"group_size=5", "group_size_cv=0.5", "intraclass_correlation=0.3", "cost_group=2"},
    ),
    "a correlation without groups": (
        "paired_t",
        {"intraclass_correlation": "0.3", "group_size_cv": "0.5", **STATED},
        {"intraclass_correlation=0.3", "group_size_cv=0.5"},
    ),
    "a cost of topics alone": ("paired_t", {"group_size": "4", "cost_topic": "2"}, {"cost_topic=2"}),
    "groups and certainty of a two-stage test": (
        "looks",
        {"rounds": "top-up", "group_size": "5", "certainty": "0.9"},
        {"group_size=5", "certainty=0.9"},
    ),
    "the power of an interval": ("confidence_interval", {"find": "power"}, {"find=power"}),
    "the difference of shares": ("right_or_wrong", {"find": "difference"}, {"find=difference"}),
    "topics that are unknown": ("paired_t", {"n_topics": "30", "alpha": "0.01"}, {"n_topics=30"}),
    "a power that is unknown": (
        "paired_t",
        {"find": "power", "n_topics": "30", "beta": "0.1", "certainty": "0.9"},
        {"beta=0.1", "certainty=0.9"},
    ),
    "a difference that is unknown": (
        "paired_t",
        {"find": "difference", "n_topics": "30", "min_d": "0.2"},
        {"min_d=0.2"},
    ),
    "a certainty without degrees of freedom": (
        "paired_t",
        {"certainty": "0.9", **STATED},
        {"certainty=0.9"},
    ),
    "degrees of freedom without a variance": (
        "paired_t",
        {"effective_df": "30", "alpha": "0.01"},
        {"effective_df=30"},
    ),
    "what Start does not ask": (
        "start",
        {"find": "power", "n_topics": "30", "certainty": "0.9", "alpha": "0.01"},
        {"find=power", "n_topics=30", "certainty=0.9"},
    ),
    "an unknown estimate": ("paired_t", {"estimate": "best", **STATED}, {"estimate=best"}),
    # One-way is an estimate of the variance of one system, not of a difference.
    "an estimate of another variance": ("paired_t", {"estimate": "one-way", **STATED}, {"estimate=one-way"}),
    "unreadable other variances": (
        "paired_t",
        {"other_variances": "twice-one-way:0.1 best:3 mean-of-pairs:x", **STATED},
        {"other_variances=best:3", "other_variances=mean-of-pairs:x"},
    ),
    "an unreadable check": (
        "paired_t",
        {"on_scores": "paired-t 0.05 many", **STATED},
        {"on_scores=paired-t 0.05 many"},
    ),
    "a check of an unknown design": (
        "paired_t",
        {"on_scores": "paired-u 0.05 40 0.06 44", **STATED},
        {"on_scores=paired-u 0.05 40 0.06 44"},
    ),
    "an unreadable switch": (
        "paired_t",
        {"scores_are_0_or_1": "maybe", **STATED},
        {"scores_are_0_or_1=maybe"},
    ),
    "a source without a variance": (
        "paired_t",
        {"estimate": "mean-of-pairs", "scores_are_0_or_1": "yes"},
        {"estimate=mean-of-pairs", "scores_are_0_or_1=yes"},
    ),
}


@pytest.mark.parametrize("case", WITHOUT_USE)
def test_a_value_without_use_is_told_and_changes_nothing(case: str) -> None:
    page, query, expected = WITHOUT_USE[case]
    app = open_page(f"pages/{page}.py", **query)
    assert _told(app).keys() == expected
    names = {one.partition("=")[0] for one in expected}
    without = open_page(f"pages/{page}.py", **{name: one for name, one in query.items() if name not in names})
    kept = "other_variances" in names  # the readable one of them
    assert heading(app) == heading(without)
    assert kept or linked(app) == linked(without)


def test_groups_that_were_not_used_are_not_kept_for_other_pages() -> None:
    assert open_page("pages/paired_t.py", group_size="5").session_state["planning/valid"]["group_size"] == 5
    app = open_page("pages/right_or_wrong.py", group_size="5")
    assert app.session_state["planning/valid"]["group_size"] is None


def test_scores_in_groups_use_a_correlation_alone() -> None:
    app = go(with_groups(in_pairs()), "pages/paired_t.py")
    before = heading(app)
    planned(app, intraclass_correlation=0.9)
    assert errors(app) == []
    assert heading(app) != before


def test_own_links_carry_no_value_without_use() -> None:
    """The fields keep a certainty and a correlation that another page uses."""
    app = open_page("pages/paired_t.py", **STATED)
    planned(app, intraclass_correlation=0.3)
    assert "intraclass_correlation" not in linked(app)
    app = go(upload(open_app(PAGE), several=simulated_task()[0].to_csv()), "pages/looks.py")
    planned(app, certainty=0.9)
    assert linked(app)["certainty"] == ["0.9"]
    again = open_page("pages/looks.py", **{name: one for name, (one,) in linked(app).items()})
    assert errors(again) == []
    app.radio(key="planning/rounds").set_value("top-up").run()
    assert "certainty" not in linked(app)


def test_a_parameter_given_twice_is_told_and_the_last_one_used() -> None:
    app = open_page(
        "pages/paired_t.py", min_d=["0.1", "0.2"], measure=["AP", "AP"], difference_variance="0.05"
    )
    assert list(_told(app)) == ["min_d=0.1"]
    assert linked(app)["min_d"] == ["0.2"]
    twice = open_page(
        "pages/paired_t.py", find=["power", "topics"], estimate=["one-way", "mean-of-pairs"], **STATED
    )
    assert _told(twice).keys() == {"find=power", "estimate=one-way"}


def test_unknown_and_repeated_values_of_a_scenario_are_told() -> None:
    app = open_page("pages/paired_t.py", scenario=f"{SCENARIO}&colour=red&margin=.1&alpha=.04", **STATED)
    told = [text.replace("\\", "") for text in errors(app)]
    assert [("colour" in one, "margin" in one, "alpha" in one) for one in told] == [
        (True, False, False),
        (False, True, False),  # a value of another design
        (False, False, True),
    ]
    assert "scenario A" in [one.label for one in app.metric]
    assert errors(open_page("pages/paired_t.py", scenario=SCENARIO, **STATED)) == []


def test_a_scenario_and_a_value_that_cannot_be_used_are_told_together() -> None:
    app = open_page("pages/one_way_anova.py", scenario="x", alpha="2")  # as mail programs cut links
    assert [one.partition("=")[0].partition(" ")[0] for one in errors(app)] == ["alpha", "scenario"]
    assert heading(app) == heading(open_page("pages/one_way_anova.py", alpha="2"))
    assert len(errors(app.run())) == 2


def test_a_scenario_without_an_answer_is_told() -> None:
    # (1.96 + 0.84)^2 * 0.06 / 0.0001^2 is 47 million topics; the search ends at 10 million.
    app = open_page("pages/paired_t.py", scenario=SCENARIO.replace("min_d=.1", "min_d=.0001"), **STATED)
    (told,) = errors(app)
    assert "10,000,000 topics" in told
    assert "scenario A" not in [one.label for one in app.metric]


def test_a_width_without_a_measure_has_no_unit() -> None:
    query = {"find": "difference", "n_topics": "30", "difference_variance": "0.05"}
    assert "the measure" not in heading(open_page("pages/confidence_interval.py", **query))
    assert " nDCG" in heading(open_page("pages/confidence_interval.py", **query, measure="nDCG"))


@pytest.mark.parametrize("page", ["compare_designs", "paired_t"])
def test_scores_without_a_variance_are_refused_for_what_they_are(page: str) -> None:
    flat = "topic,a,b\nq1,.5,.25\nq2,.5,.25\nq3,.5,.25\n"
    app = go(upload(open_app(PAGE), flat=flat), f"pages/{page}.py")
    (told,) = errors(app)
    assert "same score on all topics" in told
    assert "variance = " not in told
