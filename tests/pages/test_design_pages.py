"""The design pages: number, charts, wrong input, links."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest
from syrupy.assertion import SnapshotAssertion

from pages.parts.data import SIMILAR, Upload
from pages.parts.variance_source import TYPED
from tests.cli.running import record, written
from tests.pages.app import (
    big_number,
    charts,
    complained_of,
    errors,
    go,
    healthy,
    in_tab,
    is_offered,
    linked,
    open_app,
    open_page,
    paragraph,
    planned,
    planning_field,
    press,
    text_of,
    tile,
)
from tests.pages.uploading import anova_topics
from tests.words import numbers_in
from topicset_core.analyses.planning import charts as planning_charts
from topicset_core.collection import ScoreMatrix
from topicset_core.designs import confidence_interval, paired_t
from topicset_core.variance import CONSERVATIVE_DIFFERENCE, MEAN_PAIR_DIFFERENCE, PAIR_PERCENTILE, pooled
from topicset_core.variance.pair_differences import chosen_pair_difference_variance

ANOVA, PAIRED_T = "pages/one_way_anova.py", "pages/paired_t.py"
ESTIMATE = "planning/estimate-difference_variance"

# Sakai 2016, section 6.2, AP: sigma^2 .0471, minD .10, m = 10; exact 149, tool 148
# (formulas-and-expected-values 5.3 and table 7 there).
SAKAI_AP = {
    "alpha": "0.05",
    "beta": "0.2",
    "min_d": "0.1",
    "n_systems": "10",
    "within_system_variance": "0.0471",
    "measure": "AP",
}


def _link(app: AppTest) -> dict[str, str]:
    return {name: value for name, (value,) in linked(app).items()}


def _with_own(page: str, *matrices: ScoreMatrix) -> AppTest:
    """Open a design page with scores of one's own."""
    app = open_app("pages/score_matrices.py")
    for matrix in matrices:
        app.session_state["loaded_scores"] = [
            *app.session_state["loaded_scores"],
            Upload(matrix, (), number=len(app.session_state["loaded_scores"]) + 1),
        ]
    return go(app, page)


def _drawn(seed: int, measure: str, systems: tuple[str, ...], name: str = "round") -> ScoreMatrix:
    generator = np.random.default_rng(seed)
    scores = generator.uniform(size=(20, 1)) * 0.5 + generator.uniform(size=(20, len(systems))) * 0.5
    return ScoreMatrix(
        scores=scores,
        topics=tuple(f"{name}-{topic}" for topic in range(20)),
        systems=systems,
        measure=measure,
        name=name,
    )


@pytest.mark.slow
@pytest.mark.parametrize("page", [PAIRED_T, "pages/confidence_interval.py"])
def test_estimates_of_pairs_are_a_choice_next_to_the_variance(page: str) -> None:
    matrix = _drawn(1, "AP", ("a", "b", "c"))
    app = _with_own(page, matrix)

    def topics(variance: float) -> int:
        if page == PAIRED_T:
            requirements = paired_t.Requirements(
                alpha=0.05, beta=0.20, min_d=0.10, difference_variance=variance
            )
            return paired_t.required_topics(requirements).required_topics
        width = confidence_interval.Requirements(alpha=0.05, max_width=0.10, difference_variance=variance)
        return confidence_interval.required_topics(width).required_topics

    twice, mean, high = (
        topics(one(matrix)) for one in (CONSERVATIVE_DIFFERENCE, MEAN_PAIR_DIFFERENCE, PAIR_PERCENTILE)
    )
    assert high > mean
    assert big_number(app) == mean
    assert {high, twice} <= set(numbers_in(paragraph(app, "From the same scores")))
    options = app.selectbox(key=ESTIMATE).options
    healthy(app.selectbox(key=ESTIMATE).set_value(options[1]).run())
    assert big_number(app) == high
    assert {twice, mean} <= set(numbers_in(paragraph(app, "From the same scores")))
    # No option contains a number, which would be another one after the next choice.
    assert all(set(numbers_in(option)) <= {2.0} for option in app.selectbox(key="planning/scores").options)
    # The estimate goes along to the next page that takes a variance of differences.
    other = "pages/confidence_interval.py" if page == PAIRED_T else PAIRED_T
    go(app, other)
    assert app.selectbox(key=ESTIMATE).value == PAIR_PERCENTILE.name


def test_two_runs_are_selected_within_the_matrices_of_the_chosen_measure() -> None:
    ours, theirs = _drawn(1, "AP", ("a", "b", "c")), _drawn(2, "nDCG", ("x", "y"))
    app = _with_own(PAIRED_T, ours, theirs)
    pair = app.selectbox(key=ESTIMATE).options[-1]
    healthy(app.selectbox(key=ESTIMATE).set_value(pair).run())
    assert app.selectbox(key="planning/first-run").options == ["a", "b", "c"]
    requirements = paired_t.Requirements(
        alpha=0.05,
        beta=0.20,
        min_d=0.10,
        difference_variance=chosen_pair_difference_variance(ours, "a", "b"),
    )
    # One pair is worth fewer than 10 pilot topics: the headline is an interval.
    assert tile(app, "at the estimate") == paired_t.required_topics(requirements).required_topics
    # Rounds without common runs have no pair to name: it is not offered, and another estimate is taken.
    app = _with_own(PAIRED_T, ours, _drawn(3, "AP", ("d", "e"), "other"))
    assert pair not in app.selectbox(key=ESTIMATE).options


def test_a_difference_in_standard_deviations() -> None:
    app = open_page(PAIRED_T, min_delta="0.5", difference_variance="0.04")
    assert big_number(app) == 34  # R's pwr.t.test(d = .5, power = .8, type = "paired") asks for 33.4
    assert float(_link(app)["min_d"]) == 0.1
    unit: Any = next(one for one in app.get("button_group") if one.key == "planning/difference-in")
    healthy(unit.set_value("units of the measure").run())
    assert big_number(planned(app, min_d=0.2)) == 10  # d = 1; R: 9.9


def test_exact_and_published_are_side_by_side_against_sakai_2016() -> None:
    app = open_page(ANOVA, **SAKAI_AP)
    assert big_number(app) == 149
    assert numbers_in(paragraph(app, "Sakai's Excel tool")) == [148, 1]  # and how many fewer that is
    (traces,) = [drawn["data"] for key, drawn in charts(app).items() if key == "topics-by-difference"]
    drawn = {trace["name"]: trace for trace in traces}
    assert set(drawn) == {"m = 2", "m = 10", "m = 30", "m = 100", "yours"}
    assert (drawn["yours"]["x"], drawn["yours"]["y"]) == ([0.1], [149])
    planned(app, n_systems=100)
    assert big_number(app) == 381  # formulas-and-expected-values, table 7 there, a100_exact


@pytest.mark.slow
def test_wrong_input_is_named_and_kept_next_to_the_last_answer(golden: SnapshotAssertion) -> None:
    app = open_page(ANOVA, **SAKAI_AP)
    right: dict[str, Any] = {"alpha": 0.05, "beta": 0.2, "min_d": 0.1, "n_systems": 10}
    for name, wrong in (("alpha", 7.0), ("beta", 0.96), ("min_d", 0.0), ("min_d", 1e6), ("n_systems", 1)):
        planned(app, **(right | {name: wrong}))
        assert complained_of(app) == {name}
        assert len(errors(app)) == 1
        assert text_of(app, "complaints") == golden
        assert big_number(app) == 149
        assert planning_field(app, name).value == wrong


def test_text_in_a_link_cannot_become_markup() -> None:
    app = open_page(ANOVA, **(SAKAI_AP | {"variance_from": "[click](http://x) **b** <i> $x$"}))
    escaped = "\\[click\\]\\(http\N{WORD JOINER}\\://x\\)" r" \*\*b\*\* \<i\> \$x\$"
    assert any(rf"Variance of AP\: {escaped}." == one.value for one in app.markdown)
    assert any(escaped in one.help for one in app.metric)


def test_text_of_a_link_is_refused_as_a_name_in_a_file_is() -> None:
    app = open_page(ANOVA, **(SAKAI_AP | {"variance_from": "evil\u202elive", "measure": "nDCG\x1b[31m"}))
    assert complained_of(app) == {"variance_from", "measure"}
    assert "U+202E controls how text is displayed" in text_of(app, "complaints").replace("\\", "")
    assert not any(name in one.value for one in app.markdown for name in ("evil", "nDCG"))


def test_a_difference_belongs_to_its_measure_on_every_page() -> None:
    app = planned(open_app(ANOVA), min_d=0.155)
    healthy(app.selectbox(key="planning/scores").set_value("nDCG@10").run())
    assert planning_field(app, "min_d").value == 0.1  # another measure, another unit
    planned(app, min_d=0.2)
    go(app, "pages/two_sample_t.py")
    assert (app.selectbox(key="planning/scores").value, _link(app)["min_d"]) == ("nDCG@10", "0.2")
    healthy(app.selectbox(key="planning/scores").set_value("AP").run())
    assert _link(app)["min_d"] == "0.155"


def test_a_ring_marks_the_point_before_until_the_measure_changes() -> None:
    def ring(app: AppTest) -> list[str]:
        traces = charts(app)["topics-by-difference"]["data"]
        return [text for one in traces if "before" in (text := str(one.get("hovertext")))]

    app = open_app(ANOVA)
    topics = big_number(app)
    assert ring(app) == []
    assert ring(planned(app, min_d=0.08)) == [f"before: {topics:g} topics at 0.1"]
    assert ring(healthy(app.selectbox(key="planning/scores").set_value("AP").run())) == []


@pytest.mark.slow
def test_every_page_gives_the_same_number_for_the_same_requirements() -> None:
    app = planned(open_app(PAIRED_T), alpha=0.01, beta=0.1, min_d=0.12)
    options = app.selectbox(key=ESTIMATE).options
    healthy(app.selectbox(key=ESTIMATE).set_value(options[2]).run())
    topics = {"paired t test": big_number(app)}
    for page, method in (
        ("pages/two_sample_t.py", "two-sample t test"),
        ("pages/confidence_interval.py", "confidence interval, paired"),
        (ANOVA, "one-way ANOVA, m = 10"),
        ("pages/topics_as_blocks.py", "two-way ANOVA, m = 10"),
        ("pages/every_pair.py", "all pairs, Tukey HSD, m = 10"),
    ):
        topics[method] = big_number(go(app, page))
    result: dict[str, int] = {}
    go(app, "pages/compare_designs.py")
    for shared in ("shared", "separate"):
        _choose_topics(app, "planning/topics", shared)
        compared = app.dataframe[0].value
        result = dict(zip(compared["method"], compared["topics, AP"], strict=True)) | result
    assert {method: result[method] for method in topics} == topics
    assert len(set(topics.values())) > 4


def _choose_topics(app: AppTest, key: str, word: str) -> AppTest:
    """Choose whether topics are shared."""
    control: Any = next(one for one in app.get("button_group") if one.key == key)
    return healthy(control.set_value(word).run())


@pytest.mark.parametrize(
    ("page", "slug", "other", "other_slug"),
    [
        ("pages/topics_as_blocks.py", "two-way-anova", ANOVA, "anova"),
        (PAIRED_T, "paired-t", "pages/two_sample_t.py", "two-sample-t"),
    ],
)
def test_topics_shared_or_separate_goes_to_the_other_design_with_the_same_values(
    page: str, slug: str, other: str, other_slug: str
) -> None:
    app = planned(open_app(page), min_d=0.07, alpha=0.02)
    first = big_number(app)
    _choose_topics(app, f"topics-of-{slug}", "separate")
    values = _link(app)
    assert (values["min_d"], values["alpha"]) == ("0.07", "0.02")
    second = big_number(app)
    assert second != first
    assert big_number(go(open_app(other), other)) != second  # other values
    _choose_topics(app, f"topics-of-{other_slug}", "shared")
    assert big_number(app) == first


def test_start_design_page_comparison_and_command_have_one_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    matrix = _drawn(1, "AP", ("a", "b", "c", "d"))
    file = written(matrix, tmp_path / "round_ap.csv")
    given = ["--alpha", ".05", "--beta", ".2", "--min-d", ".1", "--scores", file]
    of_three = [*given, "--systems", "3"]
    app = _with_own("pages/start.py", matrix)
    planned(app, n_systems=3)
    start = numbers_in(text_of(app, "answer"))[0]
    separate = tile(app, "if topics are separate")
    pages = {
        slug: big_number(go(app, page))
        for slug, page in (
            ("two-way-anova", "pages/topics_as_blocks.py"),
            ("anova", ANOVA),
            ("paired-t", PAIRED_T),
        )
    }
    assert (pages["two-way-anova"], pages["anova"]) == (start, separate)
    capsys.readouterr()  # what pages logged
    for slug, topics in pages.items():
        arguments = given if slug == "paired-t" else of_three
        assert record(capsys, "size", slug, *arguments)["required_topics"] == topics
    labels = {"paired-t": "paired t test", "two-way-anova": "two-way ANOVA, m = 3"}
    compared = go(app, "pages/compare_designs.py").dataframe[0].value
    on_page = dict(zip(compared["method"], compared["topics, AP"], strict=True))
    capsys.readouterr()
    printed = record(capsys, "compare", file, "--levels", ".05,.2", "--systems", "3", "--min-d", ".1")[
        "tables"
    ]
    by_command = {one["method_label"]: one["planned"] for one in printed if "planned" in one}
    for slug, label in labels.items():
        assert on_page[label] == by_command[label]["AP"]["required_topics"] == pages[slug]


def test_unlike_matrices_are_not_pooled_unless_asked() -> None:
    ours = _drawn(1, "AP", ("a", "b", "c"), "ours")
    per_cent = replace(_drawn(2, "AP", ("a", "b", "c"), "theirs"), name="theirs")
    per_cent = replace(per_cent, scores=100 * per_cent.scores)
    app = _with_own(ANOVA, ours, per_cent)
    assert big_number(app) == anova_topics(pooled([ours]), n_systems=3)
    assert "theirs" in text_of(app, "warning")
    assert numbers_in(text_of(app, "data-in-use")) == [1, 2]
    press(app, "pool/anyway-AP")
    assert big_number(app) == anova_topics(pooled([ours, per_cent]), n_systems=3)
    press(app, "pool/alone-2")
    assert big_number(app) == anova_topics(pooled([per_cent]), n_systems=3)
    # A difference below one point on a scale to 100 is questioned, one above it is not.
    assert 10 in numbers_in(text_of(app, "warning"))
    assert not text_of(planned(app, min_d=5.0), "warning")


def test_a_typed_variance_is_passed_on_as_twice_itself_for_a_difference() -> None:
    app = open_app(ANOVA)
    healthy(app.selectbox(key="planning/scores").set_value(TYPED).run())
    planned(app, within_system_variance=0.0471)
    go(app, PAIRED_T)
    # The two-sample test asks for 75 at sigma^2 .0471 (table 6 of Sakai 2016); this one for 1 more.
    assert float(_link(app)["difference_variance"]) == 2 * 0.0471
    assert big_number(app) == 76


def test_reset_brings_back_the_start_values() -> None:
    app = open_app(ANOVA)
    healthy(app.selectbox(key="planning/scores").set_value(SIMILAR).run())
    before = linked(app)
    planned(app, alpha=0.01, min_d=0.3, n_systems=4)
    healthy(app.selectbox(key="planning/scores").set_value("nDCG@10").run())
    press(app, "planning/reset")
    assert linked(app) == before
    assert planning_field(app, "alpha").value == 0.05


def test_scores_up_to_100_are_divided_together_with_typed_values() -> None:
    scores = _drawn(1, "AP", ("a", "b", "c"))
    app = _with_own(ANOVA, replace(scores, scores=100 * scores.scores))
    planned(app, min_d=0.5)
    before = big_number(app)
    press(app, "scale/AP")
    assert (planning_field(app, "min_d").value, big_number(app)) == (0.005, before)
    assert not is_offered(app, "scale/AP")


def test_charts_in_tabs_are_drawn_only_when_they_are_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[str] = []

    def noted(name: str) -> Any:
        chart = getattr(planning_charts, name)

        def build(*values: Any, **options: Any) -> Any:
            built.append(name)
            return chart(*values, **options)

        return build

    for name in ("topics_by_difference", "power_by_topics", "equal_topics_chart"):
        monkeypatch.setattr(planning_charts, name, noted(name))
    app = planned(open_page("pages/one_way_anova.py"), min_d=0.0912)
    assert set(built) == {"topics_by_difference"}
    in_tab(app, "If σ² is wrong")
    assert "equal_topics_chart" in built
