"""The page on pool depth: the design in a sentence, budget, links, runs without judgments."""

from functools import cache
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from syrupy.assertion import SnapshotAssertion

from pages.parts.pool_depth import study as study_of_page
from pages.parts.pool_depth.new_systems import named
from tests.analyses.pool_depth.small_runs import study
from tests.pages.app import (
    complained_of,
    errors,
    go,
    heading,
    healthy,
    linked,
    open_app,
    open_page,
    press,
    said,
    settled,
    texts,
    unfolded,
)
from tests.pages.uploading import RUNS, bring
from tests.words import numbers_in
from topicset_core.analyses.pool_depth import DepthStudy, depth_study
from topicset_core.analyses.sizing import TopicsRule, topics_rule
from topicset_core.collection.judged_runs import JudgedRuns, join
from topicset_core.measures import AP
from topicset_core.progress import Cancelled
from topicset_core.samples.simulated_runs import simulated_track

PAGE = "pages/pool_depth.py"
_ANOVA = topics_rule("anova", alpha=0.05, beta=0.20, min_d=0.10, n_systems=10)


@cache
def _sample() -> JudgedRuns:
    return join(*simulated_track())


def _opened(**query: str) -> AppTest:
    return settled(open_page(PAGE, **query))


def _compute(app: AppTest) -> AppTest:
    return settled(press(app, "pool/compute"))


def _design(app: AppTest) -> list[float]:
    """Depth, topics and judgments of the headline."""
    return numbers_in(heading(app).replace(":primary", ""))


def _expected(depth: int, rule: TopicsRule = _ANOVA) -> list[float]:
    """The design of the sample at a depth, from the core alone."""
    (design,) = study([_sample()], [AP()], rule, depths=[depth]).designs
    return [depth, design.required_topics or 0, design.total_judgments or 0]


def test_the_cheapest_design_of_the_sample_is_there_at_once_and_any_other_design_acts_at_once() -> None:
    app = _opened()
    assert _design(app) == _expected(10)
    assert list(app.dataframe[0].value["pool depth"][:3]) == [10, 30, 50]
    healthy(app.selectbox(key="pool/design").select_index(1).run())
    rule = topics_rule("paired-t", alpha=0.05, beta=0.20, min_d=0.10)
    assert _design(settled(app)) == _expected(10, rule)


def test_a_budget_takes_the_most_expensive_design_within_it() -> None:
    app = _opened()
    by_ap = app.dataframe[0].value
    costs = dict(zip(by_ap["pool depth"][:3], by_ap["judgments"][:3], strict=True))
    app.number_input(key="pool/budget").set_value(float(costs[30]))
    assert _design(_compute(app)) == _expected(30)
    # Beside it stands the cheapest of all, and no deeper one, as it is the deepest itself.
    assert numbers_in(said(app, "within-budget"))[:3] == _expected(10)
    app.number_input(key="pool/budget").set_value(10.0)
    assert _design(_compute(app)) == []
    assert said(app, "answer")


def test_wrong_numbers_are_named_and_the_last_answer_stays(golden: SnapshotAssertion) -> None:
    app = _opened()
    before = heading(app)
    right = {"alpha": 0.05, "beta": 0.2, "budget": None}
    for name, value in (("alpha", 7.0), ("beta", 0.99), ("budget", -5.0)):
        for field, number in (right | {name: value}).items():
            app.number_input(key=f"pool/{field}").set_value(number)
        _compute(app)
        assert complained_of(app) == {name}
        assert said(app, "complaints") == golden
        assert heading(app) == before


def test_wrong_depths_and_measures_are_named() -> None:
    app = _opened()
    for typed in ("10, ten", "0", "10 -20", "123456"):
        app.text_input(key="pool/depths").set_value(typed)
        _compute(app)
        assert complained_of(app) == {"depths"}  # the golden record has the words
        assert repr(typed) in said(app, "complaints")
    app.text_input(key="pool/depths").set_value("")
    app.multiselect(key="pool/measures").set_value(["MAPP"])
    _compute(app)
    assert complained_of(app) == {"measure"}
    assert repr("MAPP") in said(app, "complaints")


def test_link_round_trip_asks_the_same() -> None:
    app = _opened(design="Paired t test", min_d="0.05", measure="nDCG@10", depths="20, 5", budget="100000")
    link = linked(app)
    assert (link["depths"], link["min_d"], link["measure"]) == (["5, 20"], ["0.05"], ["nDCG@10"])
    again = settled(open_page(PAGE, **link))
    assert heading(again) == heading(app)
    assert linked(again) == link


def test_nonsense_in_a_link_is_said_and_not_used() -> None:
    app = _opened(alpha="nan", depths="-1", measure="<b>MAPP</b>", gains="none", budget="1e400", junk="x")
    assert complained_of(app) == {"alpha", "depths", "measure", "gains", "budget"}
    assert len(errors(app)) == 6
    assert _design(app) == _expected(10)


def test_runs_without_judgments_are_counted_and_the_variance_is_borrowed() -> None:
    run = b"".join(b"%d Q0 d%d 0 %d one\n" % (topic, k, 99 - k) for topic in (1, 2) for k in range(30))
    app = go(bring(open_app(RUNS), {"one.txt": run}, {}), PAGE)
    assert list(app.dataframe[0].value["judged per topic"]) == [10.0, 30.0]
    assert list(app.dataframe[0].value["σ²"]) == [app.dataframe[0].value["σ²"][0]] * 2
    assert _design(app)[0] == 10


def test_teams_are_left_out_on_request() -> None:
    app = unfolded(_opened(), "pool/new-systems-open")
    n_tables = len(app.dataframe)
    settled(press(app, "pool/leave-out"))
    assert len(app.dataframe) == n_tables + 1
    table = app.dataframe[-1].value
    assert set(table["run"]) == set(_sample().systems)
    shallow = table[table["pool depth"] == 10]
    lost = shallow["score"] - shallow["without the team"]
    assert lost.max() > 0
    run = shallow["run"].iloc[lost.argmax()]
    (sentence,) = [text for text in texts(app).splitlines() if run in text]
    assert numbers_in(sentence)[0] == 10
    assert float(f"{lost.max():.4f}") in numbers_in(sentence)


def test_runs_without_a_team_are_teams_of_their_own() -> None:
    assert named(["one", "two", "three", "four"], ["A ", "", None, float("nan")]) == (
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


def test_teams_of_each_collection_can_be_left_out() -> None:
    app = bring(
        open_app(RUNS),
        {"a.txt": _run("A-1", topics=range(1, 9)), "b.txt": _run("long", topics=range(1, 9))},
        {"first.txt": _qrels(), "second.txt": _qrels(range(5, 9))},
    )
    unfolded(settled(go(app, PAGE)), "pool/new-systems-open")
    healthy(app.selectbox(key="pool/new-systems-collection").set_value(1).run())
    settled(press(app, "pool/leave-out"))
    table = app.dataframe[-1].value
    assert set(table["run"]) == {"A-1", "long"}
    assert (table["without the team"] < table["score"]).any()


def test_judgments_of_hardly_any_document_answer_without_a_cost(golden: SnapshotAssertion) -> None:
    beir = "query-id\tcorpus-id\tscore\n" + "".join(f"{topic}\tr{topic}\t1\n" for topic in range(1, 5))
    found_by_topic_1_alone = "".join(
        f"{topic} Q0 {document} 0 {score} one\n"
        for topic in range(1, 5)
        for document, score in (("r1", 9), ("x", 8))
    )
    app = bring(open_app(RUNS), {"one.txt": found_by_topic_1_alone.encode()}, {"beir.tsv": beir.encode()})
    settled(go(app, PAGE))
    assert [found.value for found in app.warning] == golden
    assert _design(app)[-1] == 0


def test_a_level_beyond_the_grades_is_named_and_can_be_corrected(golden: SnapshotAssertion) -> None:
    app = _opened()
    before = heading(app)
    app.number_input(key="pool/relevance_level").set_value(9)
    _compute(app)
    assert errors(app) == golden
    assert [warning.value for warning in app.warning] == golden
    assert heading(app) == before
    app.number_input(key="pool/relevance_level").set_value(1)
    _compute(app)
    assert not app.warning
    assert heading(app) == before


def test_a_study_that_was_cancelled_can_be_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    app = _opened()
    before = heading(app)
    stopped = iter([True])

    def cancelled_once(*arguments: Any, **choices: Any) -> DepthStudy:
        if next(stopped, False):
            raise Cancelled
        return depth_study(*arguments, **choices)

    monkeypatch.setattr(study_of_page, "depth_study", cancelled_once)
    app.text_input(key="pool/depths").set_value("20")
    _compute(app)
    assert len(errors(app)) == len(app.warning) == 1
    assert heading(app) == before
    _compute(app)
    assert not app.warning
    assert _design(app) == _expected(20)
