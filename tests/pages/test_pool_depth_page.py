"""The page on pool depth: runs without judgments, conventions, teams, a study that was cancelled."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from syrupy.assertion import SnapshotAssertion

from pages.parts import pool_depth as parts
from tests.pages.app import (
    charts,
    complained_of,
    errors,
    finished,
    go,
    heading,
    healthy,
    linked,
    open_app,
    open_page,
    press,
    tile,
    typed,
)
from tests.pages.uploading import RUNS, bring, with_small
from tests.words import numbers_in
from topicset_core.analyses.pool_depth import DepthStudy, depth_study
from topicset_core.progress import Cancelled

PAGE = "pages/pool_depth.py"


def _opened(**query: str | list[str]) -> AppTest:
    return finished(open_page(PAGE, **query))


def _compute(app: AppTest) -> AppTest:
    return finished(healthy(app.run()))


def _every_depth(app: AppTest) -> Any:
    """The table of all depths and measures."""
    return next(one.value for one in app.dataframe if "judged share" in one.value)


def _design(app: AppTest) -> list[float]:
    """The numbers of the headline."""
    return numbers_in(heading(app).replace(":primary", ""))


def test_the_requirements_are_those_of_the_design_pages() -> None:
    app = finished(open_app(PAGE))
    finished(healthy(app.selectbox(key="pool/design").set_value("Paired t test").run()))
    finished(typed(app, "pool", alpha=0.01, min_d=0.08))
    go(app, "pages/paired_t.py")
    assert app.number_input(key="planning/alpha").value == 0.01
    assert app.number_input(key="planning/AP/min_d").value == 0.08
    healthy(app.number_input(key="planning/beta").set_value(0.1).run())
    finished(go(app, PAGE))
    assert app.number_input(key="pool/beta").value == 0.1
    assert (linked(app)["alpha"], linked(app)["beta"], linked(app)["min_d"]) == (["0.01"], ["0.1"], ["0.08"])


def _unjudged() -> AppTest:
    run = b"".join(b"%d Q0 d%d 0 %d one\n" % (topic, k, 99 - k) for topic in (1, 2) for k in range(30))
    return go(bring(open_app(RUNS), {"one.txt": run}, {}), PAGE)


def test_runs_without_judgments_are_counted_and_get_no_number_before_a_variance_is_chosen() -> None:
    app = _unjudged()
    assert list(app.dataframe[0].value["documents per topic"]) == [10.0, 30.0]
    assert _design(app) == []
    assert not charts(app)
    variances = app.selectbox(key="pool/variance-from")
    assert variances.value is None
    assert not any("simulated" in one for one in variances.options)
    healthy(variances.select_index(0).run())
    # AP, sigma^2 .0471: 149 topics, tests/reference/sizes_interval_and_anova.csv.
    healthy(app.selectbox(key="pool/design").set_value("One-way ANOVA").run())
    assert list(_every_depth(app)["σ²"]) == [0.0471, 0.0471]
    assert list(_every_depth(app)["topics"]) == [149, 149]
    assert _design(app)[:4] == [0.1, 1_490, 4_470, 10]  # what depths 10 and 30 cost
    app.number_input(key="pool/budget").set_value(2_000.0)
    assert _design(_compute(app))[:3] == [2_000, 200, 10]


def test_a_typed_variance_is_checked_and_part_of_the_link() -> None:
    app = _unjudged()
    variances = app.selectbox(key="pool/variance-from")
    healthy(variances.select_index(len(variances.options) - 1).run())
    assert _design(app) == []
    healthy(app.number_input(key="pool/within_system_variance").set_value(-1.0).run())
    assert complained_of(app) == {"within_system_variance"}
    app.selectbox(key="pool/design").set_value("One-way ANOVA")
    healthy(app.number_input(key="pool/within_system_variance").set_value(0.0471).run())
    assert _design(app)[:4] == [0.1, 1_490, 4_470, 10]
    assert linked(app)["within_system_variance"] == ["0.0471"]
    assert not complained_of(app)


def test_own_scores_are_offered_for_runs_without_judgments() -> None:
    app = with_small("first_ap")
    app = finished(go(bring(go(app, RUNS), {"one.txt": _run("one")}, {}), PAGE))
    assert "first_ap" in app.selectbox(key="pool/variance-from").options[0]


def test_a_preset_takes_all_conventions_of_the_paper() -> None:
    app = _opened(measure="AP@10", relevance_level="2")
    before = _every_depth(app)["σ²"]
    finished(press(app, "pool/preset-Sakai 2016"))
    link = linked(app)
    assert (link["gains"], link["denominator"], link["relevance_level"]) == (
        ["exponential"],
        ["min(md, R)"],
        ["2"],
    )
    assert list(_every_depth(app)["σ²"]) != list(before)
    finished(press(app, "pool/preset-trec_eval"))
    assert list(_every_depth(app)["σ²"]) == list(before)


def test_more_runs_than_the_given_ones_can_be_planned_for() -> None:
    lines = [f"{topic} 0 x{k} 1\n" for topic in range(1, 5) for k in range(20)]
    app = bring(
        open_app(RUNS),
        {"a.txt": _run("A"), "b.txt": _run("long")},
        {"q.txt": _qrels() + "".join(lines).encode()},
    )
    finished(go(app, PAGE))
    table = _every_depth(app)
    ratio = table["full pool per topic"] / table["documents per topic"]
    assert list(ratio) == pytest.approx([ratio[0]] * len(ratio))
    assert ratio[0] > 1.5
    healthy(app.toggle(key="pool/full_pool").set_value(True).run())
    full = _every_depth(app)
    assert list(full["judgments"]) == list(table["full-pool judgments"])
    assert linked(app)["full_pool"] == ["yes"]


def test_runs_without_a_team_are_separate_teams() -> None:
    assert parts.named(["one", "two", "three", "four"], ["A ", "", None, float("nan")]) == (
        "A",
        "two",
        "three",
        "four",
    )


def _run(tag: str, *, topics: range = range(1, 5), n_documents: int = 20) -> bytes:
    """Rankings that differ by topic and tag."""
    return "".join(
        f"{topic} Q0 d{(rank * (topic + len(tag)) + topic) % 23} 0 {99 - rank} {tag}\n"
        for topic in topics
        for rank in range(n_documents)
    ).encode()


def _qrels(topics: range = range(1, 5)) -> bytes:
    return "".join(f"{topic} 0 d{k} {int(k % 3 == 0)}\n" for topic in topics for k in range(23)).encode()


@pytest.mark.slow
def test_teams_of_each_collection_can_be_left_out() -> None:
    app = bring(
        open_app(RUNS),
        {"a.txt": _run("A-1", topics=range(1, 9)), "b.txt": _run("long", topics=range(1, 9))},
        {"first.txt": _qrels(), "second.txt": _qrels(range(5, 9))},
    )
    finished(go(app, PAGE))
    app.session_state["tabs"] = "Leave a team out"
    healthy(app.run())
    healthy(app.selectbox(key="pool/new-systems-collection").set_value(1).run())
    finished(press(app, "pool/leave-out"))
    table = next(one.value for one in app.dataframe if "without the team" in one.value)
    assert set(table["run"]) == {"A-1", "long"}
    assert (table["without the team"] < table["score"]).any()


def test_judgments_of_hardly_any_document_recommend_no_depth(golden: SnapshotAssertion) -> None:
    beir = "query-id\tcorpus-id\tscore\n" + "".join(f"{topic}\tr{topic}\t1\n" for topic in range(1, 5))
    by_topic_1_alone = "".join(
        f"{topic} Q0 {document} 0 {score} one\n"
        for topic in range(1, 5)
        for document, score in (("r1", 9), ("x", 8))
    )
    app = bring(open_app(RUNS), {"one.txt": by_topic_1_alone.encode()}, {"beir.tsv": beir.encode()})
    finished(go(app, PAGE))
    # One run has no residual of two-way ANOVA.
    healthy(app.selectbox(key="pool/design").set_value("One-way ANOVA").run())
    finished(app)
    assert [one.value for one in app.markdown if one.value.startswith(":material/warning:")] == golden
    assert heading(app).endswith("What is your budget?")
    # One of eight documents is judged: too little to recommend a depth.
    assert "recommended" not in {one.label for one in app.metric}
    assert "at depth 2" in heading(app)
    table = _every_depth(app)
    assert list(table["judged share"]) == [1 / 8] * len(table)
    app.number_input(key="pool/min_judged_share").set_value(0.1)
    app.number_input(key="pool/budget").set_value(10_000.0)
    assert _design(_compute(app))[2] == 2


def test_without_a_budget_the_page_asks_for_it_and_shows_what_each_depth_costs() -> None:
    app = _opened()
    assert "What is your budget?" in heading(app)
    assert {"recommended", "lowest Kendall's τ", "relevant found"} <= {one.label for one in app.metric}
    assert len(charts(app)) == 1
    costs = next(one.value for one in app.dataframe if "recommended" in one.value)
    lowest, highest = min(costs["judgments"]), max(costs["judgments"])
    assert _design(app)[1:3] == [lowest, highest]
    healthy(app.selectbox(key="pool/pool_depth").set_value("30").run())
    (row,) = (row for row in costs.to_dict("records") if row["pool depth"] == 30)
    assert tile(app, "topics") == row["topics"]
    assert _design(app)[1:3] == [row["judgments"], 30]
    app.number_input(key="pool/hours").set_value(80.0)
    _compute(app)
    assert linked(app)["hours"] == ["80.0"]
    assert "80 hours buy" in heading(app)
    again = _opened(**linked(app))
    assert heading(again) == heading(app)


def test_floors_are_changed_on_the_page_and_kept_in_the_link() -> None:
    app = _opened(
        budget="20000"
    )  # it pays for depth 10, not for the deepest, which has all relevant documents
    assert "too small" not in heading(app)
    app.number_input(key="pool/min_relevant").set_value(1.0)
    _compute(app)
    assert "The budget is too small for minD = 0.1" in heading(app)
    link = linked(app)
    assert link["min_relevant"] == ["1.0"]
    assert heading(_opened(**link)) == heading(app)


def test_a_cancelled_study_can_be_restarted(monkeypatch: pytest.MonkeyPatch) -> None:
    app = _opened()
    before = heading(app)
    stopped = iter([True])

    def cancelled_once(*arguments: Any, **choices: Any) -> DepthStudy:
        if next(stopped, False):
            raise Cancelled
        return depth_study(*arguments, **choices)

    monkeypatch.setattr(parts, "depth_study", cancelled_once)
    app.text_input(key="pool/depths").set_value("20")
    _compute(app)
    assert not errors(app)
    assert len(app.warning) == 1
    assert heading(app) == before
    finished(press(app, "pool/compute"))
    assert not app.warning
    assert _design(app)[2] == 20


def test_a_depth_that_is_chosen_is_shown_in_tiles_and_link_without_another_study(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = _opened(budget="20000", design="One-way ANOVA")
    assert "at depth 10" in heading(app)
    monkeypatch.setattr(parts, "depth_study", None)  # a new study would fail
    healthy(app.selectbox(key="pool/pool_depth").set_value("30").run())
    table = next(one.value for one in app.dataframe if "power" in one.value)
    (row,) = (row for row in table.to_dict("records") if (row["pool depth"], row["measure"]) == (30, "nERR"))
    assert _design(app)[:3] == [20_000, row["topics"], 30]
    assert tile(app, "they cost") == row["judgments"]
    assert _design(app)[3] == float(f"{row['minD']:.3g}")
    link = linked(app)
    assert link["pool_depth"] == ["30"]
    finished(typed(app, "pool", min_d=0.2))
    assert _design(app)[:3] == [20_000, row["topics"], 30]
    monkeypatch.undo()
    assert _design(_opened(**link)) == [20_000, row["topics"], 30, float(f"{row['minD']:.3g}"), 80]
    link["pool_depth"] = ["31"]
    assert complained_of(_opened(**link)) == {"pool_depth"}
