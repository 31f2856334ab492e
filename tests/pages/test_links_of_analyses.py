"""Links of all pages that analyse: both ways, and hostile ones."""

from urllib.parse import parse_qs, urlencode

import pytest
from streamlit.testing.v1 import AppTest
from syrupy.assertion import SnapshotAssertion

from pages.parts import data
from pages.parts.comparison import MOST_MEASURES
from tests.pages.app import (
    big_number,
    blocks,
    charts,
    complained_of,
    errors,
    finished,
    go,
    healthy,
    linked,
    open_app,
    open_page,
    press,
    sentence,
    text_of,
)
from tests.pages.test_topic_subsets_page import part
from tests.pages.test_training_sensitivity_page import TOPICS
from tests.pages.uploading import ANOVA
from tests.words import numbers_in
from topicset_core.analyses.planning import Stated
from topicset_core.analyses.sizing import ComparisonTable, compare_designs
from topicset_core.samples.simulated import simulated_task

COMPARE, REPORTED = "pages/compare_designs.py", "pages/reported_result.py"
MOST_COMPLAINTS = 6

# Sakai 2016, section 6.2: AP .0471 asks for 149 (exact) and 148 (tool) topics at minD .10, m = 10
# (formulas-and-expected-values 5.3).
SAKAI_AP = ["AP:0.0471"]
LONG = 10_000  # characters that a user may put into a link


def _topics(app: AppTest) -> list[float]:
    """The planned topics of AP, by design."""
    return [float(n) for n in app.dataframe[0].value["topics, AP"]]


@pytest.mark.parametrize(("method", "topics"), [("exact", 149), ("published", 148)])
def test_a_link_contains_a_variance_without_its_scores(method: str, topics: int) -> None:
    app = open_page(COMPARE, variance=SAKAI_AP, method=[method])
    assert topics in _topics(app)
    assert errors(app) == []
    assert 0.0471 in numbers_in(text_of(app, "data-in-use"))


def test_a_link_of_a_comparison_shows_the_same_in_full_precision() -> None:
    first = open_page(COMPARE, alpha=["0.0123456789012345"], method=["exact"])
    healthy(first.selectbox(key="planning/scores").set_value("AP").run())
    link = linked(first)
    assert link["alpha"] == ["0.0123456789012345"]
    assert len(link["variance"]) == len(link["variance_from"]) == 3  # the measures of the sample
    second = open_page(COMPARE, **link)
    # A link has no scores, so the separated pairs are missing; the topics are included.
    topics = {one.method_label: one.topics_by_measure(0.1) for one in _tables_of(link) if one.differences}
    shown = [
        app.dataframe[0].value.set_index("method").loc["two-way ANOVA, m = 10"] for app in (first, second)
    ]
    for measure, needed in topics["two-way ANOVA, m = 10"].items():
        assert [row[f"topics, {measure}"] for row in shown] == [needed, needed]
    assert sentence(second) == sentence(first)
    assert linked(second) == link


def _tables_of(link: dict[str, list[str]]) -> tuple[ComparisonTable, ...]:
    within, residual = (
        {measure: float(value) for measure, _, value in (one.rpartition(":") for one in link[name])}
        for name in ("variance", "two_way_variance")
    )
    alpha, beta = (float(link[name][0]) for name in ("alpha", "beta"))
    sources = {
        measure: Stated(values={"within_system_variance": value, "residual_variance": residual[measure]})
        for measure, value in within.items()
    }
    return compare_designs(sources, alpha=alpha, beta=beta)


def test_measures_with_colons_and_markup_are_kept_unchanged() -> None:
    app = open_page(COMPARE, variance=["<b>a:b</b>[x](http://y):0.05"])
    assert linked(app)["variance"] == ["<b>a:b</b>[x](http://y):0.05"]
    escaped = "\\<b\\>a\\:b\\</b\\>\\[x\\]\\(http\N{WORD JOINER}\\://y\\)"
    assert any(escaped in one.value for one in app.markdown)
    (chart,) = app.get("plotly_chart")
    assert "&lt;b&gt;" in chart.proto.spec
    assert "(<b>" not in chart.proto.spec


def test_scores_replace_variances_of_a_link() -> None:
    app = open_page(COMPARE, variance=SAKAI_AP)
    assert set(charts(app)) == {"topics-by-design"}
    press(app, "compare/instead")
    measures = {matrix.measure for matrix in simulated_task()}
    assert {variance.rpartition(":")[0] for variance in linked(app)["variance"]} == measures
    assert not set(SAKAI_AP) & set(linked(app)["variance"])
    assert set(charts(app)) == {"topics-by-design", "topics-by-measure"}


def _is_stated(app: AppTest, parameter: str, n_complaints: int = 1) -> bool:
    """Return whether the page has this number of messages on a parameter, each of bounded length."""
    assert max(map(len, errors(app))) < 400
    assert not text_of(app, "refusal")
    assert complained_of(app) == ({parameter} if parameter else set())
    return len(app.container(key="complaints").error) == n_complaints


@pytest.mark.parametrize(
    ("page", "query", "parameter"),
    [
        (COMPARE, {"variance": ["AP:nan"]}, "variance"),
        (COMPARE, {"variance": ["AP:-1"]}, "variance"),
        (COMPARE, {"variance": ["AP"]}, "variance"),
        (COMPARE, {"variance": [":0.05"]}, "variance"),
        (COMPARE, {"variance": ["AP:0.05", "AP:0.06"]}, "variance"),
        (COMPARE, {"variance": [f"m{i}:0.05" for i in range(MOST_MEASURES + 1)]}, "variance"),
        (COMPARE, {"variance": ["AP:0.05", "P@1:0.2"], "binary": ["P@1", "RR"]}, "binary"),
        (COMPARE, {"method": ["Excel"]}, "method"),
        (COMPARE, {"alpha": ["nan"]}, "alpha"),
        (COMPARE, {"alpha": [".6"], "beta": [".6"]}, "beta"),
        (COMPARE, {"pool_depth": ["5"]}, ""),
        (ANOVA, {"alpha": [".5"], "beta": [".6"]}, "beta"),
        (REPORTED, {"test": ["z"]}, "test"),
        (REPORTED, {"t": ["nan"]}, "t"),
        (REPORTED, {"t": ["<img src=x>"]}, "t"),
        (REPORTED, {"n_topics": ["2.5"]}, "n_topics"),
        (REPORTED, {"n_topics": ["1e400"]}, "n_topics"),
        (REPORTED, {"f": ["3"]}, ""),
        (REPORTED, {"test": ["one-way-anova"], "f": ["-1"]}, "f"),
        (REPORTED, {"alpha": ["0.9"], "beta": ["0.5"]}, "beta"),
    ],
    ids=[
        *("no number", "negative", "no variance", "no measure", "twice", "too many", "of no measure"),
        *("method", "alpha", "both probabilities", "unknown"),
        *(
            "of a design",
            "test",
            "nan",
            "markup",
            "broken",
            "huge",
            "of another test",
            "negative F",
            "probabilities",
        ),
    ],
)
def test_wrong_values_in_a_link_are_reported(
    page: str, query: dict[str, list[str]], parameter: str, golden: SnapshotAssertion
) -> None:
    app = open_page(page, **query)
    assert _is_stated(app, parameter)
    assert text_of(app, "complaints") == golden


def test_messages_on_long_links_are_short() -> None:
    for text in ("x" * LONG, "AP:" + "9" * LONG):
        assert _is_stated(open_page(COMPARE, variance=[text]), "variance")
    assert _is_stated(open_page(REPORTED, t="7" * LONG), "t")
    app = open_page(COMPARE, **{f"name{place}": ["1"] for place in range(500)})
    assert _is_stated(app, "", MOST_COMPLAINTS + 1)
    assert numbers_in(errors(app)[-1]) == [500 - MOST_COMPLAINTS]


def test_a_variance_for_which_no_number_of_topics_is_enough_has_no_numbers() -> None:
    app = open_page(COMPARE, variance=["AP:1e80", "RR:0.05"], **{"systems": ["10"]})
    assert set(app.table[0].value["AP"]) == {0}
    assert all(app.table[0].value["RR"] > 0)
    assert not text_of(app, "complaints")


@pytest.mark.parametrize("query", [{"systems": ["1 x"]}, {"differences": ["0"]}, {"more_levels": [".05"]}])
def test_invalid_lists_are_refused(query: dict[str, list[str]]) -> None:
    app = open_page(COMPARE, variance=SAKAI_AP, **query)
    assert text_of(app, "refusal")
    assert not text_of(app, "answer")


def test_the_users_lists_are_part_of_the_link() -> None:
    settings = {
        "systems": ["5 20"],
        "differences": ["0.1 0.3"],
        "effects": ["0.2"],
        "more_levels": [".01 .1"],
    }
    app = open_page(COMPARE, variance=SAKAI_AP, **settings)
    assert 114 in _topics(app)  # next-designs.md, 1.6, column A: m = 5 at sigma^2 .0471, minD .10
    assert {name: linked(app)[name] for name in settings} == settings
    assert len(app.selectbox(key="compare/level").options) == 2


FEW = "n_splits=4&n_starts=0"
LINKS = [
    "achieved_power?test=wilcoxon&alpha=0.0123456789012345&effect=own&null=centred&n_topics=31&seed=5",
    "error_rate?min_d=0.0123456789012345&n_topics=77&max_error=0.2&seed=9&without_worst_quarter=yes",
    "pool_depth?design=Paired+t+test&measure=AP%4010&measure=nERR%4010&depths=5,+20&budget=100000.0"
    "&gains=exponential&denominator=min(md,+R)&largest_grade=4&relevance_level=2&min_judged_share=0.55&min_d=0.05&pool_depth=20",
    "rank_resolution?alpha=0.0123456789012345&top_k=3&seed=5&n_trials=2000&floor=0.1",
    "reported_result?test=paired-t&t=2.4&n_topics=50",
    "reported_result?test=one-way-anova&f=2.145&n_systems=2&n_topics=5",
    "reported_result?test=two-sample-t&t=-2.5&n_topics=20&n_topics_2=31&alpha=0.01",
    "topic_subsets?goodness=kendall&target=0.8123456789012345&cardinality=7&method=local&log=yes",
    f"topic_subsets?view=held-out&choose_by=kendall&judged_measure=nDCG%4010&{FEW}",
    f"topic_subsets?view=audit&n_trials=200&topic=1-01&topic=1-04&topic=1-05&{FEW}",
    "topic_variance?measure=nDCG%4010&model=kde&n_trials=77&min_d=0.012345678901234567&relevance_level=2&alpha=0.01"
    "&denominator=fixed&bandwidth=silverman&seed=12345&collection=Simulated+judgments&run=simA-1&topic=11",
    "training_sensitivity?sweep=Simulated+sweep&n_splits=1&n_samples=2&levels=2,+30&trained_by=infAP&trained_by=P%4010"
    "&keep_one=yes&relevance_level=2&gains=exponential&seed=3&task=second+half&evaluated_by=P%4010&surface_of=P%4010"
    "&surface_level=30",
    "training_sensitivity?n_samples=2&levels=30&topics=lists&"
    + urlencode({"training_topics": TOPICS[:40], "test_topics": TOPICS[40:]}, doseq=True),
]
"""Off the defaults, so that a page that leaves one out of its link is found out; designs: test_every_design.py."""


@pytest.mark.parametrize("link", LINKS, ids=[link[:40] for link in LINKS])
def test_the_link_of_an_answer_repeats_it(link: str, monkeypatch: pytest.MonkeyPatch) -> None:
    small = tuple(part(matrix) for matrix in simulated_task())
    monkeypatch.setattr(data, "sample_matrices", lambda: small)
    page, _, query = link.partition("?")
    settings = parse_qs(query)
    first = finished(open_page(f"pages/{page}.py", **settings))
    assert not errors(first)
    written = linked(first)
    assert {name: written[name] for name in settings} == settings
    second = finished(open_page(f"pages/{page}.py", **written))
    assert text_of(second, "answer") == text_of(first, "answer")
    assert linked(second) == written


@pytest.mark.parametrize("t", ["1e80", "0", "1e-80"])
def test_effects_without_a_replication_are_refused(t: str, golden: SnapshotAssertion) -> None:
    app = open_page(REPORTED, t=t)
    assert not text_of(app, "complaints")
    assert not text_of(app, "answer")
    assert text_of(app, "refusal") == golden


def test_an_audit_stays_while_other_pages_are_open() -> None:
    app = open_app(REPORTED)
    healthy(app.radio(key="reported/test").set_value("one-way-anova").run())
    healthy(app.number_input(key="reported/one-way-anova/f").set_value(4.0).run())
    before = big_number(app)
    go(app, COMPARE)
    go(app, REPORTED)
    assert app.number_input(key="reported/one-way-anova/f").value == 4.0
    assert big_number(app) == before


MARGINS = "pages/at_least_as_good.py"


@pytest.mark.parametrize(
    ("claim", "theta", "is_used"),
    [("as-good", "-0.2", False), ("as-good", "0.2", True), ("equal", "0.2", False), ("equal", "0.04", True)],
)
@pytest.mark.parametrize("variance", [{}, {"difference_variance": "0.05"}])
def test_a_linked_difference_outside_the_margin_is_refused_as_the_link_s(
    claim: str, theta: str, is_used: bool, variance: dict[str, str]
) -> None:
    """Non-inferiority asks for a difference above minus the margin, equivalence for one on both sides within it."""
    app = open_page(MARGINS, claim=claim, true_difference=theta, margin="0.05", **variance)
    assert ("true_difference" not in complained_of(app)) == is_used
    assert (linked(app)["true_difference"] == [theta]) == is_used
    assert "refusal" not in blocks(app)


def test_values_that_do_not_go_together_are_not_called_scores() -> None:
    app = open_page(MARGINS, claim="as-good", true_difference="0.2", margin="0.05")
    app.radio(key="planning/claim").set_value("equal")
    healthy(app.run())
    assert text_of(app, "refusal").startswith("These values do not go together: θ = 0.2")
